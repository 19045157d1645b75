package userop_test

import (
	"maps"
	"math/big"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/tokencontract"
)

// operationModel keeps in plain maps the balances of accounts after the operations in the blocks of a chain, at
// EntryPoint 0.7. It learns from the node only the bundles of each block and the cost of each operation, and computes
// everything else itself.
type operationModel struct {
	t                       testing.TB
	token                   common.Address
	nonces                  map[common.Address]int64
	deposits, ether, tokens map[common.Address]*big.Int
	included                map[common.Hash]int  // index of the block, by the hash of an operation
	failed                  map[common.Hash]bool // operations whose bundle reverted

	blocks  []operationBlock
	undo    []func() // reverts the block that is being applied
	touched map[common.Address]bool
	results map[string]int
}

type operationBlock struct {
	hash common.Hash
	undo []func()
}

func newOperationModel(t testing.TB, token common.Address) *operationModel {
	return &operationModel{
		t: t, token: token, nonces: map[common.Address]int64{}, deposits: map[common.Address]*big.Int{}, ether: map[common.Address]*big.Int{},
		tokens: map[common.Address]*big.Int{}, included: map[common.Hash]int{}, failed: map[common.Hash]bool{},
		touched: map[common.Address]bool{}, results: map[string]int{},
	}
}

// add changes an amount until the block is undone.
func (m *operationModel) add(amounts map[common.Address]*big.Int, account common.Address, by *big.Int) {
	before := amounts[account]
	if before == nil {
		before = new(big.Int)
	}
	amounts[account] = new(big.Int).Add(before, by)
	m.touched[account] = true
	m.undo = append(m.undo, func() { amounts[account] = before; m.touched[account] = true })
}

func less(n *big.Int) *big.Int { return new(big.Int).Neg(n) }

// back undoes all changes since a block began.
func back(undo []func()) {
	for _, f := range slices.Backward(undo) {
		f()
	}
}

// apply executes the transactions of a block.
func (m *operationModel) apply(baseFee *big.Int, transactions []*types.Transaction, receipts []*types.Receipt) operationBlock {
	m.undo = nil
	for i, tx := range transactions {
		if tx.To() == nil || *tx.To() != entrypoint.V07Address {
			continue
		}
		ops, ok := entrypoint.UnpackHandlePackedOps(tx.Data())
		require.True(m.t, ok)
		m.bundle(ops, receipts[i], baseFee)
	}
	return operationBlock{undo: m.undo}
}

// bundle executes a bundle, which must revert exactly if an operation in it is not valid.
func (m *operationModel) bundle(ops []entrypoint.PackedUserOperation, receipt *types.Receipt, baseFee *big.Int) {
	valid, nonces := true, maps.Clone(m.nonces)
	for _, op := range ops {
		valid = valid && op.Nonce.Int64() == nonces[op.Sender] && m.missing(op).Cmp(m.ether[op.Sender]) <= 0
		nonces[op.Sender]++
	}
	require.Equal(m.t, valid, receipt.Status == 1, "%s: nonce %s of %s, want %d", receipt.TxHash, ops[0].Nonce, ops[0].Sender, m.nonces[ops[0].Sender])
	if !valid {
		m.results["reverted bundle"]++
		m.failed[ops[0].Hash(31337)] = true
		return
	}
	var events []*entrypoint.EntryPointV07UserOperationEvent
	for _, l := range receipt.Logs {
		if event, err := entryPointV07.UnpackUserOperationEventEvent(l); err == nil {
			events = append(events, event)
		}
	}
	require.Len(m.t, events, len(ops))
	for i, op := range ops {
		m.operation(op, events[i], baseFee)
	}
}

var (
	entryPointV07 = entrypoint.NewEntryPointV07()
	simpleAccount = entrypoint.NewSimpleAccount()
)

// payer returns the account whose deposit pays for an operation.
func payer(op entrypoint.PackedUserOperation) common.Address {
	if len(op.PaymasterAndData) > 0 {
		return common.BytesToAddress(op.PaymasterAndData[:20])
	}
	return op.Sender
}

func half(word []byte) *big.Int { return new(big.Int).SetBytes(word) }

// prefund returns the most that an operation can cost.
func prefund(op entrypoint.PackedUserOperation) *big.Int {
	gas := new(big.Int).Add(half(op.AccountGasLimits[:16]), half(op.AccountGasLimits[16:]))
	gas.Add(gas, op.PreVerificationGas)
	if len(op.PaymasterAndData) > 0 {
		gas.Add(gas, half(op.PaymasterAndData[20:36])).Add(gas, half(op.PaymasterAndData[36:52]))
	}
	return gas.Mul(gas, half(op.GasFees[16:]))
}

// missing returns the amount that the sender must pay before its operation.
func (m *operationModel) missing(op entrypoint.PackedUserOperation) *big.Int {
	deposit := m.deposits[op.Sender]
	if deposit == nil {
		deposit = new(big.Int)
	}
	lacks := new(big.Int).Sub(prefund(op), deposit)
	if payer(op) != op.Sender || lacks.Sign() < 0 {
		return new(big.Int)
	}
	return lacks
}

// operation executes an operation that is valid.
func (m *operationModel) operation(op entrypoint.PackedUserOperation, event *entrypoint.EntryPointV07UserOperationEvent, baseFee *big.Int) {
	who, most, missing := payer(op), prefund(op), m.missing(op)
	hash := op.Hash(31337)
	require.Equal(m.t, hash, common.Hash(event.UserOpHash))
	require.Equal(m.t, op.Nonce, event.Nonce)
	sender := op.Sender
	m.nonces[sender]++
	m.included[hash] = len(m.blocks)
	m.undo = append(m.undo, func() { m.nonces[sender]--; delete(m.included, hash); m.touched[sender] = true })
	m.add(m.ether, op.Sender, less(missing))
	m.add(m.deposits, op.Sender, missing)
	m.add(m.deposits, who, less(most))

	success := m.call(op.Sender, op.CallData)
	require.Equal(m.t, success, event.Success, "%s", hash)
	m.results[map[bool]string{true: "success", false: "failed call"}[success]]++

	price := new(big.Int).Add(half(op.GasFees[:16]), baseFee)
	if highest := half(op.GasFees[16:]); price.Cmp(highest) > 0 {
		price = highest
	}
	require.Equal(m.t, new(big.Int).Mul(price, event.ActualGasUsed), event.ActualGasCost)
	require.LessOrEqual(m.t, event.ActualGasCost.Cmp(most), 0)
	m.add(m.deposits, who, new(big.Int).Sub(most, event.ActualGasCost))
	m.add(m.ether, entrypoint.V07Address, new(big.Int).Sub(missing, event.ActualGasCost))
}

// call executes an account's call, and reports whether it succeeds: a payment in tokens, or into its deposit or out of
// it.
func (m *operationModel) call(sender common.Address, data []byte) bool {
	target, wei, inner := unpackExecute(m.t, data)
	switch {
	case target == m.token:
		to, units := common.BytesToAddress(inner[4:36]), new(big.Int).SetBytes(inner[36:68])
		if m.tokens[sender].Cmp(units) < 0 {
			return false
		}
		m.add(m.tokens, sender, less(units))
		m.add(m.tokens, to, units)
	case wei.Sign() > 0:
		if m.ether[sender].Cmp(wei) < 0 {
			return false
		}
		m.add(m.ether, sender, less(wei))
		m.add(m.ether, entrypoint.V07Address, wei)
		m.add(m.deposits, sender, wei)
	default:
		out := new(big.Int).SetBytes(inner[36:68])
		if m.deposits[sender].Cmp(out) < 0 {
			return false
		}
		m.add(m.deposits, sender, less(out))
		m.add(m.ether, entrypoint.V07Address, less(out))
		m.add(m.ether, sender, out)
	}
	return true
}

// unpackExecute returns the arguments of an account's execute.
func unpackExecute(t testing.TB, data []byte) (target common.Address, wei *big.Int, inner []byte) {
	values, err := simpleAccount.GetABI().Methods["execute"].Inputs.Unpack(data[4:])
	require.NoError(t, err)
	return *abi.ConvertType(values[0], new(common.Address)).(*common.Address), values[1].(*big.Int), values[2].([]byte)
}

// tokenPayment, deposit and withdrawal return the calls that the model knows.
func tokenPayment(token, to common.Address, units *big.Int) []byte {
	return simpleAccount.PackExecute(token, new(big.Int), tokencontract.PackTransfer(to, uint256.MustFromBig(units)))
}

func deposit(account common.Address, wei *big.Int) []byte {
	return simpleAccount.PackExecute(entrypoint.V07Address, wei, entryPointV07.PackDepositTo(account))
}

func withdrawal(account common.Address, wei *big.Int) []byte {
	return simpleAccount.PackExecute(entrypoint.V07Address, new(big.Int), entryPointV07.PackWithdrawTo(account, wei))
}
