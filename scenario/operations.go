package scenario

import (
	"cmp"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/fixtures/contracts/simple7702"
)

func operationInLostFlashblock(s *scene) {
	op := s.newOperation()
	s.prepareBundle(op)
	s.announce()
	s.lose()
	s.seal()
	s.bundled("The payment happened once, in another transaction than the one announced: the bundle was lost, and the bundler put the same operation into a new one. An operation is known by its own hash, of which eth_getUserOperationReceipt tells; the hash of a bundle's transaction is stored for nothing but sealed blocks.", op)
}

func bundleRevertedByNeighbour(s *scene) {
	op := s.newOperation()
	stranger := s.stranger()
	expiry := s.next()
	neighbour := deployment(s.newAccount(stranger.Address))
	s.sponsor(&neighbour, stranger, entrypoint.Sponsorship{Until: expiry})
	s.prepareBundle(op, neighbour)
	must(s.Timeline.SetNextBlockTime(expiry + 1))
	s.reverts()
	s.bundled("The payment happened once, in another bundle than the first: that one is in a block and failed whole, because another operation in it was expired (AA32). A bundle that reverted has used nothing of the operations in it; the merchant waits for the receipt of the operation, and asks for no second one while the first can still be sent.", op)
}

// dear is the preVerificationGas of an operation that takes a paymaster's whole deposit.
const dear = 1 << 40

func paymasterRanDry(s *scene) {
	op := s.newOperation()
	stranger := s.stranger()
	deposit := s.deposit()
	neighbour := deployment(s.newAccount(stranger.Address))
	neighbour.PreVerificationGas = big.NewInt(dear)
	price := new(big.Int).Div(deposit, big.NewInt(dear+operationCallGas+3*operationVerificationGas))
	neighbour.MaxFeePerGas, neighbour.MaxPriorityFeePerGas = price, price
	s.sponsor(&neighbour, stranger, entrypoint.Sponsorship{})
	s.prepareBundle(op)
	s.prepareBundle(neighbour)
	s.send()
	tx := s.bundle(op) // behind the other one
	s.captures(tx)
	s.reverts()
	left := s.deposit()
	refill := s.signed(stranger, &types.LegacyTx{
		Nonce: s.nonce(stranger), GasPrice: s.gasPrice(), Gas: transactionGas, To: &entrypoint.V06Address, Value: deposit.Sub(deposit, left),
		Data: entrypoint.NewEntryPointV06().PackDepositTo(entrypoint.PaymasterAddress),
	})
	s.enact(refill)
	s.bundled("The payment happened once, when the paymaster had a deposit again: its bundle failed before (AA31), because another operation had spent the deposit after both were checked. The same signed operation is good as soon as the paymaster can pay; who runs a paymaster limits what one operation may cost, its preVerificationGas too, and watches the deposit.", op)
}

func sponsoredThenReorgedOut(s *scene) {
	depth := cmp.Or(s.params.Depth, 1)
	op := s.newOperation()
	expiry := s.next() + 1
	s.sponsor(&op, s.payer, entrypoint.Sponsorship{Until: expiry})
	s.pays(op)
	s.prepareBundle(op)
	s.expires(depth, expiry+1)
	s.unsettled("The payment did not happen: its block was removed, and when the operation came again, the paymaster's signature had expired (AA32). Nobody can renew that alone: the payer signs what the paymaster signed, so the merchant asks the paymaster again and then the payer, and gets another operation with another hash.")
}

func delegationFrontRun(s *scene) {
	d := s.newDelegation()
	bundler := s.stranger()
	data := entrypoint.PackHandlePackedOps(bundler.Address, d.op)
	bundle := s.delegate(bundler, d, simple7702.V08Address, entrypoint.V08Address, data)
	s.capturesAfterTrial(bundle)
	other := s.delegate(s.payer, d, simple7702.V09Address, d.Address, nil)
	must(s.Timeline.Send(other))
	s.reverts()
	s.unsettled("Nothing was paid: the account had signed two delegations (EIP-7702) with one nonce, for two wallets, and somebody sent the other one first. An authorization whose nonce is used is skipped, and its transaction runs all the same, without it; the merchant reads what code the account has before it asks for a new authorization, and looks at receipts and logs, never at the transaction alone.")
}

// reverts sends the capture, which comes into the next block and reverts there.
func (s *scene) reverts() {
	s.announce()
	s.seal()
	found := got(s.Timeline.Moment().Find(s.capture.Hash()))
	if !found.Executed() || found.Receipt.Status != types.ReceiptStatusFailed {
		must(errors.New("the bundle did not revert"))
	}
}

// bundled ends a scene in which a new bundle has the operation.
func (s *scene) bundled(statement string, op entrypoint.UserOperation) {
	s.prepareBundle(op)
	block := s.bury(1)
	s.settled(block, statement)
}

// deposit returns the deposit of the node's paymaster at EntryPoint 0.6, in wei.
func (s *scene) deposit() *big.Int {
	state := got(s.Timeline.Moment().Latest().State())
	return state.Storage(entrypoint.V06Address, entrypoint.DepositSlot(entrypoint.PaymasterAddress)).Big()
}
