package bundler_test

import (
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/tokencontract"
)

// payingAccount is an account of EntryPoint 0.7 that pays with tokens.
type payingAccount struct {
	*fakenode.Node
	account common.Address
	nonce   uint64
	data    []byte // of its call
}

// paidReceipt holds the members of an operation's or a transaction's receipt that the benchmark reads.
type paidReceipt struct {
	Success bool
	Status  hexutil.Uint64
}

func newPayer(t testing.TB, config fakenode.Config) *payingAccount {
	node := fakenode.RunConfigT(t, config)
	simple := entrypoint.NewSimpleAccount()
	code := append(common.FromHex(entrypoint.SimpleAccountMetaData.Bin), simple.PackConstructor(node.Account(0).Address)...)
	account, err := node.Deploy(node.Account(0), code)
	require.NoError(t, err)
	node.SetBalance(account, fixtures.Ether("1000000"))
	node.Token().Mint(account, fixtures.USD("1000000"))
	transfer := tokencontract.PackTransfer(node.Account(1).Address, fixtures.USD("0.01"))
	return &payingAccount{Node: node, account: account, data: simple.PackExecute(node.Token().Address(), new(big.Int), transfer)}
}

// operation returns the next operation, signed, in the EntryPoint's form and in the bundler's.
func (p *payingAccount) operation() (entrypoint.PackedUserOperation, map[string]any) {
	op := entrypoint.PackedUserOperation{
		Sender: p.account, Nonce: new(big.Int).SetUint64(p.nonce), CallData: p.data, AccountGasLimits: entrypoint.PackUint128s(100_000, 100_000),
		PreVerificationGas: big.NewInt(60_000), GasFees: entrypoint.PackUint128s(1_000_000_000, 10_000_000_000),
	}
	op.Signature = p.Account(0).SignDigest(common.Hash(accounts.TextHash(op.Hash(p.ChainID()).Bytes()))).Bytes()
	p.nonce++
	return op, map[string]any{
		"sender": p.account, "nonce": (*hexutil.Big)(op.Nonce), "callData": hexutil.Bytes(p.data), "callGasLimit": hexutil.Uint64(100_000),
		"verificationGasLimit": hexutil.Uint64(100_000), "preVerificationGas": hexutil.Uint64(60_000), "maxFeePerGas": hexutil.Uint64(10_000_000_000),
		"maxPriorityFeePerGas": hexutil.Uint64(1_000_000_000), "signature": hexutil.Bytes(op.Signature),
	}
}

// send sends an operation, or a signed transaction, and returns its receipt when it is pre-confirmed.
func (p *payingAccount) send(t testing.TB, method, receiptMethod string, params ...any) {
	var hash common.Hash
	require.NoError(t, p.Client().Client().Call(&hash, method, params...))
	p.Preconfirm()
	var receipt *paidReceipt
	require.NoError(t, p.Client().Client().Call(&receipt, receiptMethod, hash))
	require.NotNil(t, receipt)
	require.True(t, receipt.Success || receipt.Status == 1)
}

// BenchmarkUserOperation sends operations that pay with tokens and waits for each receipt in a flashblock, under strict
// and under loose rules. It also sends plain transactions that pay the same, and calls validateUserOp: all in turn, in
// one process. Times are medians. ratio is the time of an operation under strict rules divided by the time of a
// transaction and a validation.
func BenchmarkUserOperation(b *testing.B) {
	strict, loose := newPayer(b, fakenode.Config{}), newPayer(b, fakenode.Config{BundlerRules: fakenode.LooseBundler})
	var spent [4][]time.Duration
	timed := func(i int, f func()) {
		begin := time.Now()
		f()
		spent[i] = append(spent[i], time.Since(begin))
	}
	for b.Loop() {
		op, object := strict.operation()
		hash := op.Hash(strict.ChainID())
		data := hexutil.Bytes(entrypoint.PackValidateUserOp(op, hash, new(big.Int)))
		timed(0, func() {
			call := map[string]any{"from": entrypoint.V07Address, "to": strict.account, "data": data}
			require.NoError(b, strict.Client().Client().Call(nil, "eth_call", call, "pending"))
		})
		timed(1, func() {
			strict.send(b, "eth_sendUserOperation", "eth_getUserOperationReceipt", object, entrypoint.V07Address)
		})
		strict.Seal()
		_, object = loose.operation()
		timed(2, func() {
			loose.send(b, "eth_sendUserOperation", "eth_getUserOperationReceipt", object, entrypoint.V07Address)
		})
		loose.Seal()
		raw := strict.transfer(b)
		timed(3, func() { strict.send(b, "eth_sendRawTransaction", "eth_getTransactionReceipt", raw) })
		strict.Seal()
	}
	var medians [4]time.Duration
	for i, name := range []string{"validation-µs", "strict-µs", "loose-µs", "transaction-µs"} {
		slices.Sort(spent[i])
		medians[i] = spent[i][len(spent[i])/2]
		b.ReportMetric(float64(medians[i].Microseconds()), name)
	}
	b.ReportMetric(float64(medians[1])/float64(medians[0]+medians[3]), "ratio")
	b.ReportMetric(float64(medians[2])/float64(medians[0]+medians[3]), "loose-ratio")
}

// transfer returns a signed transaction that pays with tokens.
func (p *payingAccount) transfer(t testing.TB) hexutil.Bytes {
	from, token := p.Account(2), p.Token().Address()
	state, err := p.Moment().Pending().State()
	require.NoError(t, err)
	if state.Nonce(from.Address) == 0 {
		p.Token().Mint(from.Address, fixtures.USD("1000000"))
	}
	tx, err := types.SignNewTx(from.Key, types.LatestSignerForChainID(new(big.Int).SetUint64(p.ChainID())), &types.DynamicFeeTx{
		ChainID: new(big.Int).SetUint64(p.ChainID()), Nonce: state.Nonce(from.Address), GasTipCap: big.NewInt(1_000_000_000), GasFeeCap: big.NewInt(10_000_000_000),
		Gas: 100_000, To: &token, Data: tokencontract.PackTransfer(p.Account(1).Address, fixtures.USD("0.01")),
	})
	require.NoError(t, err)
	raw, err := tx.MarshalBinary()
	require.NoError(t, err)
	return raw
}
