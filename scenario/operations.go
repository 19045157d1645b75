package scenario

import (
	"cmp"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/contracts/simple7702"
	"github.com/fakenode/fakenode/contracts/smartwallet"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/tokencontract"
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
	must(s.Timeline.Set(preconf.NextBlockTime(expiry + 1)))
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
	s.capturesAfterTrial(s.delegate(bundler, d, simple7702.V08Address, entrypoint.V08Address, data))
	must(s.Timeline.Send(s.delegate(s.payer, d, simple7702.V09Address, d.Address, nil)))
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
	s.settled(s.bury(1), statement)
}

// deposit returns the deposit of the node's paymaster at EntryPoint 0.6, in wei.
func (s *scene) deposit() *big.Int {
	state := got(s.Timeline.Moment().Latest().State())
	return state.Storage(entrypoint.V06Address, entrypoint.DepositSlot(entrypoint.PaymasterAddress)).Big()
}

// Limits of user operations, in gas: enough for each, also for the state gas of Amsterdam.
const (
	operationCallGas         = 500_000
	operationVerificationGas = 1_000_000
	operationPaymasterGas    = 100_000
	preVerificationGas       = 100_000
)

// Gas prices of user operations, in wei.
var (
	operationFee = big.NewInt(100 * params.GWei)
	operationTip = big.NewInt(params.GWei)
)

// newOperation gives a new smart account of the payer's the scene's value, and signs the operation that deploys the
// account and pays the merchant. The node's paymaster sponsors it.
func (s *scene) newOperation() entrypoint.UserOperation {
	op := deployment(s.newAccount(s.payer.Address))
	transfer := tokencontract.PackTransfer(s.merchant.Address, s.value)
	op.CallData = smartwallet.NewSmartWallet().PackExecute(s.Token.VerifyingContract, common.Big0, transfer)
	s.fund(op.Sender, s.value)
	s.sponsor(&op, s.payer, entrypoint.Sponsorship{})
	s.pays(op)
	return op
}

// pays makes an operation the scenario's payment.
func (s *scene) pays(op entrypoint.UserOperation) {
	s.conclusion.Contract, s.conclusion.Payer, s.conclusion.Nonce = entrypoint.V06Address, op.Sender, op.Hash(s.Token.ChainID)
}

// deployment returns the operation that deploys an account, unsigned.
func deployment(account smartwallet.Account) entrypoint.UserOperation {
	return entrypoint.UserOperation{
		Sender: account.Address(), Nonce: new(big.Int), InitCode: append(account.Factory.Bytes(), account.PackCreate()...),
		CallGasLimit: big.NewInt(operationCallGas), VerificationGasLimit: big.NewInt(operationVerificationGas),
		PreVerificationGas: big.NewInt(preVerificationGas), MaxFeePerGas: operationFee, MaxPriorityFeePerGas: operationTip,
	}
}

// sponsor lets the node's paymaster sign an operation, and then the owner of its account.
func (s *scene) sponsor(op *entrypoint.UserOperation, owner fixtures.Account, terms entrypoint.Sponsorship) {
	data := got(op.Sponsor(s.Token.ChainID, entrypoint.V06Address, terms, entrypoint.PaymasterKey()))
	op.PaymasterAndData = append(entrypoint.PaymasterAddress.Bytes(), data...)
	op.Signature = smartwallet.WrapSignature(0, owner.SignDigest(op.Hash(s.Token.ChainID)).Bytes())
}

// bundle signs a bundler's transaction with operations.
func (s *scene) bundle(ops ...entrypoint.UserOperation) *types.Transaction {
	bundler := s.stranger()
	return s.signed(bundler, &types.LegacyTx{
		Nonce: s.nonce(bundler), GasPrice: s.bid(), Gas: transactionGas, To: &entrypoint.V06Address,
		Data: entrypoint.PackHandleOps(bundler.Address, ops...),
	})
}

// bid returns the gas price of a bundle, in wei. It differs between bundles, so that no two are one transaction.
func (s *scene) bid() *big.Int { return new(big.Int).Add(s.gasPrice(), big.NewInt(int64(len(s.sent)))) }

// prepareBundle makes a bundle of operations the capture. It must succeed in the next block.
func (s *scene) prepareBundle(ops ...entrypoint.UserOperation) {
	s.capturesAfterTrial(s.bundle(ops...))
}

// capturesAfterTrial makes a bundle the capture, unless it would fail in the next block.
func (s *scene) capturesAfterTrial(tx *types.Transaction) {
	s.captures(tx)
	s.tried("the bundle", tx)
}

// delegation is an account whose key authorizes the code of Simple7702Account for EntryPoint 0.8.
type delegation struct {
	fixtures.Account
	op entrypoint.PackedUserOperation // pays the merchant
}

// newDelegation gives a new account the scene's value, and signs the operation that pays the merchant, which the node's
// paymaster sponsors.
func (s *scene) newDelegation() (d delegation) {
	seed := s.unique()
	d.Key = got(crypto.ToECDSA(seed[:]))
	d.Address = crypto.PubkeyToAddress(d.Key.PublicKey)
	transfer := simple7702.Call{Target: s.Token.VerifyingContract, Value: new(big.Int), Data: tokencontract.PackTransfer(s.merchant.Address, s.value)}
	d.op = entrypoint.PackedUserOperation{
		Sender: d.Address, Nonce: new(big.Int), InitCode: common.RightPadBytes([]byte{0x77, 0x02}, common.AddressLength),
		CallData:           simple7702.PackExecuteBatch([]simple7702.Call{transfer}),
		AccountGasLimits:   entrypoint.PackUint128s(operationVerificationGas, operationCallGas),
		PreVerificationGas: big.NewInt(preVerificationGas), GasFees: entrypoint.PackUint128s(operationTip.Uint64(), operationFee.Uint64()),
	}
	s.fund(d.Address, s.value)
	chainID, limits := s.Token.ChainID, entrypoint.PackUint128s(operationPaymasterGas, operationPaymasterGas)
	data := got(d.op.Sponsor(chainID, entrypoint.V08Address, entrypoint.Sponsorship{}, entrypoint.PaymasterKey()))
	d.op.PaymasterAndData = append(append(entrypoint.PaymasterAddress.Bytes(), limits[:]...), data...)
	hash := d.op.TypedHash(chainID, entrypoint.V08Address, simple7702.V08Address)
	d.op.Signature = d.SignDigest(hash).Bytes()
	s.conclusion.Contract, s.conclusion.Payer, s.conclusion.Nonce = entrypoint.V08Address, d.Address, hash
	return d
}

// delegate signs a transaction, from an account other than the delegating one, with an account's first authorization,
// for an implementation.
func (s *scene) delegate(by fixtures.Account, d delegation, implementation, to common.Address, data []byte) *types.Transaction {
	chainID := *uint256.NewInt(s.Token.ChainID)
	authorization := got(types.SignSetCode(d.Key, types.SetCodeAuthorization{ChainID: chainID, Address: implementation}))
	price := uint256.MustFromBig(s.bid())
	return s.signed(by, &types.SetCodeTx{
		ChainID: &chainID, Nonce: s.nonce(by), GasTipCap: price, GasFeeCap: price, Gas: transactionGas, To: to, Data: data,
		AuthList: []types.SetCodeAuthorization{authorization},
	})
}
