package chain_test

import (
	"math"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Ensure the limit of a transaction's gas has effect from Osaka on, in place of the EIPs', and is not below these.
func TestGasLimitOfTransactions(t *testing.T) {
	t.Parallel()
	require.NoError(t, chain.TxGasLimit(0).Validate())
	require.NoError(t, chain.TxGasLimit(16_777_216).Validate())
	require.NoError(t, chain.NoTxGasLimit.Validate())
	for _, low := range []chain.TxGasLimit{1, 16_777_215} {
		require.ErrorContains(t, low.Validate(), "is below 16777216, that of EIP-7825")
	}
	prague, osaka := params.Rules{}, params.Rules{IsOsaka: true}
	amsterdam := params.Rules{IsOsaka: true, IsAmsterdam: true}
	for _, test := range []struct {
		limit chain.TxGasLimit
		rules params.Rules
		want  uint64
	}{
		{0, prague, math.MaxUint64}, {20_000_000, prague, math.MaxUint64}, {0, osaka, 16_777_216}, {20_000_000, osaka, 20_000_000},
		{0, amsterdam, params.MaxTxTotalGas}, {20_000_000, amsterdam, 20_000_000}, {chain.NoTxGasLimit, osaka, math.MaxUint64},
	} {
		require.Equal(t, test.want, test.limit.Gas(test.rules))
	}
	for fork, tests := range map[string]map[chain.TxGasLimit]map[uint64]error{
		"osaka": {
			0:                  {16_777_216: nil, 16_777_217: core.ErrGasLimitTooHigh},
			20_000_000:         {20_000_000: nil, 20_000_001: core.ErrGasLimitTooHigh},
			chain.NoTxGasLimit: {30_000_000: nil, 30_000_001: core.ErrGasLimitReached},
		},
		"prague": {0: {30_000_000: nil}, 20_000_000: {30_000_000: nil}},
	} {
		for limit, gas := range tests {
			c := newChainOf(t, newGenesis(t, fork), chain.Options{TxGasLimit: limit})
			require.Equal(t, limit, c.TxGasLimit())
			for asked, want := range gas {
				_, _, err := draft(t, c, chain.Env{}).Add(call(t, 0, 0, storer, asked, words(1, 2)), address(0))
				require.ErrorIs(t, err, want, "%s %d %d", fork, limit, asked)
			}
		}
	}
	_, _, err := draft(t, newChainOf(t, newGenesis(t, "osaka"), chain.Options{TxGasLimit: 20_000_000}), chain.Env{}).
		Add(call(t, 0, 0, storer, 20_000_001, nil), address(0))
	require.ErrorContains(t, err, "(cap: 20000000, tx: 20000001)")
}

// Ensure chains with other options share the genesis, and that errors which a node knows have their names.
func TestOptions(t *testing.T) {
	t.Parallel()
	g := newGenesis(t, "osaka")
	plain := newChainOf(t, g, chain.Options{})
	require.Same(t, plain, newChainOf(t, g, chain.Options{}))
	require.Same(t, plain, newChainOf(t, g, chain.Options{History: 10_000}))
	for _, o := range []chain.Options{
		{History: 1}, {Lenient: true}, {Track: true}, {CodeLimit: 1 << 20}, {TxGasLimit: 1 << 25}, {Calls: chain.Calls{CallsSeeBaseFee: true}},
		{Calls: chain.Calls{FixedPrecompiles: true}}, {Optimism: optimism.Azul.DefaultRules()}, {Errors: func([]byte) string { return "Declared()" }},
	} {
		c := newChainOf(t, g, o)
		require.NotSame(t, plain, c)
		require.Same(t, plain.Head(), c.Head())
		reverted := c.Reverted([]byte{1, 2, 3, 4})
		require.Equal(t, []byte{1, 2, 3, 4}, reverted.Data)
		require.Equal(t, o.Errors != nil, reverted.Declared == "Declared()")
	}
	require.Zero(t, plain.Base())
	require.Nil(t, plain.Fork())
	_, err := chain.New(newGenesis(t, "cancun"), chain.Options{Optimism: optimism.Azul.DefaultRules()})
	require.EqualError(t, err, "the rules of optimism need a genesis in which prague is active")
	_, err = chain.New(newGenesis(t, "prague"), chain.Options{Optimism: optimism.Azul.DefaultRules()})
	require.NoError(t, err)
}

// Ensure a chain has the rules that differ between Ethereum and OP-stack chains of its own kind.
func TestRulesOfBothKinds(t *testing.T) {
	t.Parallel()
	ethereum := newChain(t, "osaka")
	denim := newChainOf(t, newGenesis(t, "osaka"), chain.Options{Optimism: optimism.Denim.DefaultRules()})
	jovian := newChainOf(t, newGenesis(t, "prague"), chain.Options{Optimism: optimism.Jovian.DefaultRules()})
	header := ethereum.Head().Header()
	rules := ethereum.Config().Rules(header.Number, true, header.Time)
	p256 := common.BytesToAddress([]byte{1, 0})

	require.Zero(t, ethereum.BlockTime())
	require.Equal(t, 200*time.Millisecond, denim.BlockTime())
	require.Zero(t, jovian.BlockTime())
	require.Len(t, ethereum.SystemContracts(header.Time), 5)
	require.True(t, ethereum.HasBlobs(header))
	require.False(t, denim.HasBlobs(header))
	require.False(t, newChain(t, "shanghai").HasBlobs(header))
	require.Equal(t, 9, ethereum.BlobConfig(header.Time).Max)
	require.Nil(t, newChain(t, "shanghai").BlobConfig(header.Time))
	require.EqualValues(t, 9*params.BlobTxBlobGasPerBlob, ethereum.MaxBlobGas(header))
	require.Equal(t, header.GasLimit, denim.MaxBlobGas(header))
	require.Zero(t, ethereum.FirstCoinbase())
	require.Equal(t, optimism.SequencerFeeVault, denim.FirstCoinbase())
	for _, c := range []*chain.Chain{ethereum, denim} {
		precompiles := c.Precompiles(rules)
		require.Contains(t, precompiles, p256)
		delete(precompiles, p256)
		require.Contains(t, c.Precompiles(rules), p256, "each call returns a copy")
	}
	parent := types.CopyHeader(header)
	parent.ExcessBlobGas, parent.BlobGasUsed = new(uint64(10_000_000)), new(uint64(9*params.BlobTxBlobGasPerBlob))
	require.Positive(t, ethereum.NextExcessBlobGas(parent, parent.Time+1))
	require.Zero(t, denim.NextExcessBlobGas(parent, parent.Time+1))
}

// Ensure a block of an OP-stack chain has no withdrawals, names its fees in its extra data, and takes no more data
// than its gas limit has room for.
func TestBlocksOfRollups(t *testing.T) {
	t.Parallel()
	_, c := newRollup(t)
	_, err := c.NewDraft(chain.Env{Withdrawals: types.Withdrawals{{Amount: 1}}})
	require.EqualError(t, err, "block 1 has withdrawals of validators, which an OP-stack chain has none of")
	fees := optimism.BaseFeeRules{Denominator: 77, Elasticity: 3, MinBaseFee: 11}
	d := draft(t, c, chain.Env{Fees: &fees})
	require.Equal(t, fees.ExtraData(), d.Header().Extra)
	next, _ := seal(t, d)
	require.Equal(t, fees.ExtraData(), draft(t, next, chain.Env{}).Header().Extra, "the parent's")
	unbegun := draft(t, next, chain.Env{Unbegun: true})
	require.Zero(t, unbegun.Count())
	begun := draft(t, next, chain.Env{})
	require.Equal(t, 1, begun.Count())
	require.Equal(t, next.L1(next.Head()).Hash, begun.L1().Hash)
	require.Equal(t, begun.L1().Fees, begun.Fees())
	require.Equal(t, begun.Fees(), unbegun.Fees())
	require.Equal(t, optimism.Depositor, begun.Sender(0))
	require.Equal(t, begun.Transactions()[0], begun.Transaction(0))
	require.Same(t, next, begun.Chain())
	require.Nil(t, begun.PostExec())

	heavy := optimism.Azul.DefaultRules().DefaultL1(genesisTime)
	heavy.DAFootprintGasScalar = 65_535 // 100 bytes at least weigh 6.5 M
	d = draft(t, c, chain.Env{L1: &heavy})
	for range 4 {
		d = add(t, d, 0, call(t, 0, nonce(d, 0), storer, 100_000, words(1, 2)))
	}
	_, _, err = d.Add(call(t, 0, nonce(d, 0), storer, 100_000, words(1, 2)), address(0))
	require.ErrorIs(t, err, core.ErrGasLimitReached)
	require.ErrorContains(t, err, "DA footprint 26214000 of 30000000 used, transaction needs 6553500")

	least := userDeposit(nil, 1) // less gas than any transaction needs
	_, err = c.NewDraft(chain.Env{Deposits: []*optimism.Deposit{least}, GasLimit: 100})
	require.ErrorContains(t, err, "block 1: ")
}

// Ensure a chain with gas refunds ends its blocks with the list of them, unless there are none, and that it has the
// same receipt after a restart: it once had no list of logs there.
func TestLastTransactionOfRollups(t *testing.T) {
	t.Parallel()
	g := newGenesis(t, "osaka")
	c := newChainOf(t, g, chain.Options{Track: true, Optimism: optimism.Lagoon.DefaultRules()})
	c, empty := seal(t, draft(t, c, chain.Env{}))
	require.Equal(t, 1, empty.Count())
	d := draft(t, c, chain.Env{})
	require.Nil(t, d.PostExec())
	for range 2 {
		d = add(t, d, 0, call(t, 0, nonce(d, 0), storer, 100_000, words(1, 2)))
	}
	require.Equal(t, optimism.NewPostExec(2, []optimism.GasRefund{{Index: 1, Gas: 2500}, {Index: 2, Gas: 2500}}), d.PostExec())
	require.Equal(t, 3, d.Count())
	c, block := seal(t, d)
	require.Equal(t, 3, d.Count(), "the draft is as it was")
	require.Equal(t, 4, block.Count())
	require.Equal(t, d.PostExec().Hash(), block.Transaction(3).Hash())
	last := block.Receipts()[3]
	require.EqualValues(t, 1, last.Status)
	require.Zero(t, last.GasUsed)
	require.Equal(t, block.Receipts()[2].CumulativeGasUsed, last.CumulativeGasUsed)
	require.Zero(t, block.Sender(3))
	restored := restore(t, c, nil, g)
	requireSameBlock(t, block, restored.BlockByNumber(2))
	require.Equal(t, last, restored.BlockByNumber(2).Receipts()[3])
	require.Equal(t, block.Size(), restored.BlockByNumber(2).Size())
}

// Ensure the rules of another hard fork can be tried on a chain, by the name of the fork, and not on an OP-stack
// chain.
func TestChainUnderOtherRules(t *testing.T) {
	t.Parallel()
	c := newChain(t, "osaka")
	london, err := c.Under("london", 5)
	require.NoError(t, err)
	require.Equal(t, c.Config().ChainID, london.Config().ChainID)
	require.Nil(t, london.Config().OsakaTime)
	require.False(t, london.HasBlobs(c.Head().Header()))
	require.EqualValues(t, 5, london.BlockContext(c.Head().Header()).CostPerStateByte)
	require.EqualValues(t, params.CostPerStateByte, c.BlockContext(c.Head().Header()).CostPerStateByte)
	require.Same(t, c.Head(), london.Head())
	require.NotNil(t, c.Config().OsakaTime, "the chain is as it was")
	_, err = c.Under("atlantis", 0)
	require.ErrorContains(t, err, `unknown hard fork "atlantis"`)
	_, rollup := newRollup(t)
	_, err = rollup.Under("london", 0)
	require.EqualError(t, err, "the blocks of an OP-stack chain have its upgrades, not the hard forks of ethereum")
}
