package scenario

import (
	"cmp"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/fixtures/contracts/simple7702"
)

func operationInLostFlashblock(s *scene) error {
	op, err := s.newOperation()
	if err != nil {
		return err
	}
	if err := s.prepareBundle(op); err != nil {
		return err
	}
	if err := s.announce(); err != nil {
		return err
	}
	if err := s.lose(); err != nil {
		return err
	}
	if _, err := s.seal(); err != nil {
		return err
	}
	return s.bundled("The payment happened once, in another transaction than the one announced: the bundle was lost, and the bundler put the same operation into a new one. An operation is known by its own hash, of which eth_getUserOperationReceipt tells; the hash of a bundle's transaction is stored for nothing but sealed blocks.", op)
}

func bundleRevertedByNeighbour(s *scene) error {
	op, err := s.newOperation()
	if err != nil {
		return err
	}
	stranger, err := s.stranger()
	if err != nil {
		return err
	}
	expiry := s.next()
	neighbour := deployment(s.newAccount(stranger.Address))
	if err := s.sponsor(&neighbour, stranger, entrypoint.Sponsorship{Until: expiry}); err != nil {
		return err
	}
	if err := s.prepareBundle(op, neighbour); err != nil {
		return err
	}
	if err := s.Timeline.SetNextBlockTime(expiry + 1); err != nil {
		return err
	}
	if err := s.reverts(); err != nil {
		return err
	}
	return s.bundled("The payment happened once, in another bundle than the first: that one is in a block and failed whole, because another operation in it was expired (AA32). A bundle that reverted has used nothing of the operations in it; the merchant waits for the receipt of the operation, and asks for no second one while the first can still be sent.", op)
}

// dear is the preVerificationGas of an operation that takes a paymaster's whole deposit.
const dear = 1 << 40

func paymasterRanDry(s *scene) error {
	op, err := s.newOperation()
	if err != nil {
		return err
	}
	stranger, err := s.stranger()
	if err != nil {
		return err
	}
	deposit, err := s.deposit()
	if err != nil {
		return err
	}
	neighbour := deployment(s.newAccount(stranger.Address))
	neighbour.PreVerificationGas = big.NewInt(dear)
	price := new(big.Int).Div(deposit, big.NewInt(dear+operationCallGas+3*operationVerificationGas))
	neighbour.MaxFeePerGas, neighbour.MaxPriorityFeePerGas = price, price
	if err := s.sponsor(&neighbour, stranger, entrypoint.Sponsorship{}); err != nil {
		return err
	}
	if err := s.prepareBundle(op); err != nil {
		return err
	}
	if err := s.prepareBundle(neighbour); err != nil {
		return err
	}
	if err := s.send(); err != nil {
		return err
	}
	tx, err := s.bundle(op) // behind the other one
	if err != nil {
		return err
	}
	s.captures(tx)
	if err := s.reverts(); err != nil {
		return err
	}
	left, err := s.deposit()
	if err != nil {
		return err
	}
	refill, err := s.signed(stranger, &types.LegacyTx{
		Nonce: s.nonce(stranger), GasPrice: s.gasPrice(), Gas: transactionGas, To: &entrypoint.V06Address, Value: deposit.Sub(deposit, left),
		Data: entrypoint.NewEntryPointV06().PackDepositTo(entrypoint.PaymasterAddress),
	})
	if err != nil {
		return err
	}
	if _, err := s.enact(refill); err != nil {
		return err
	}
	return s.bundled("The payment happened once, when the paymaster had a deposit again: its bundle failed before (AA31), because another operation had spent the deposit after both were checked. The same signed operation is good as soon as the paymaster can pay; who runs a paymaster limits what one operation may cost, its preVerificationGas too, and watches the deposit.", op)
}

func sponsoredThenReorgedOut(s *scene) error {
	depth := cmp.Or(s.params.Depth, 1)
	op, err := s.newOperation()
	if err != nil {
		return err
	}
	expiry := s.next() + 1
	if err := s.sponsor(&op, s.payer, entrypoint.Sponsorship{Until: expiry}); err != nil {
		return err
	}
	s.pays(op)
	if err := s.prepareBundle(op); err != nil {
		return err
	}
	if err := s.expires(depth, expiry+1); err != nil {
		return err
	}
	return s.unsettled("The payment did not happen: its block was removed, and when the operation came again, the paymaster's signature had expired (AA32). Nobody can renew that alone: the payer signs what the paymaster signed, so the merchant asks the paymaster again and then the payer, and gets another operation with another hash.")
}

func delegationFrontRun(s *scene) error {
	d, err := s.newDelegation()
	if err != nil {
		return err
	}
	bundler, err := s.stranger()
	if err != nil {
		return err
	}
	data := entrypoint.PackHandlePackedOps(bundler.Address, d.op)
	bundle, err := s.delegate(bundler, d, simple7702.V08Address, entrypoint.V08Address, data)
	if err != nil {
		return err
	}
	if err := s.capturesAfterTrial(bundle); err != nil {
		return err
	}
	other, err := s.delegate(s.payer, d, simple7702.V09Address, d.Address, nil)
	if err != nil {
		return err
	}
	if err := s.Timeline.Send(other); err != nil {
		return err
	}
	if err := s.reverts(); err != nil {
		return err
	}
	return s.unsettled("Nothing was paid: the account had signed two delegations (EIP-7702) with one nonce, for two wallets, and somebody sent the other one first. An authorization whose nonce is used is skipped, and its transaction runs all the same, without it; the merchant reads what code the account has before it asks for a new authorization, and looks at receipts and logs, never at the transaction alone.")
}

// reverts sends the capture, which comes into the next block and reverts there.
func (s *scene) reverts() error {
	if err := s.announce(); err != nil {
		return err
	}
	if _, err := s.seal(); err != nil {
		return err
	}
	found, err := s.Timeline.Moment().Find(s.capture.Hash())
	if err != nil {
		return err
	}
	if !found.Executed() || found.Receipt.Status != types.ReceiptStatusFailed {
		return errors.New("the bundle did not revert")
	}
	return nil
}

// bundled ends a scene in which a new bundle has the operation.
func (s *scene) bundled(statement string, op entrypoint.UserOperation) error {
	if err := s.prepareBundle(op); err != nil {
		return err
	}
	block, err := s.bury(1)
	if err != nil {
		return err
	}
	return s.settled(block, statement)
}

// deposit returns the deposit of the node's paymaster at EntryPoint 0.6, in wei.
func (s *scene) deposit() (*big.Int, error) {
	state, err := s.Timeline.Moment().Latest().State()
	if err != nil {
		return nil, err
	}
	return state.Storage(entrypoint.V06Address, entrypoint.DepositSlot(entrypoint.PaymasterAddress)).Big(), nil
}
