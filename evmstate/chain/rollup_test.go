package chain_test

import (
	"math/big"
	"strconv"
	"testing"

	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

func newRollup(t *testing.T) (*chain.Genesis, *chain.Chain) {
	g := newGenesis(t, "osaka")
	return g, newChainOf(t, g, chain.Options{Track: true, Optimism: optimism.Azul.DefaultRules()})
}

// userDeposit returns a deposit by account 3.
func userDeposit(data []byte, gas uint64) *optimism.Deposit {
	return &optimism.Deposit{
		SourceHash: optimism.UserSource(optimism.L1Hash(7), 0), From: address(3), To: &storer, Mint: big.NewInt(5),
		Value: new(big.Int), Gas: gas, Data: data,
	}
}

// TestRollup checks that each block refers to the L1 block that its Env names, or else to its parent's, counts the
// blocks before it that do so, has its deposits first, and is the same after a restart.
func TestRollup(t *testing.T) {
	t.Parallel()
	g, c := newRollup(t)
	first, other := optimism.Azul.DefaultRules().DefaultL1(genesisTime), optimism.Azul.DefaultRules().DefaultL1(genesisTime+12)
	other.Number, other.Hash = 7, optimism.L1Hash(7)
	other.DAFootprintGasScalar = 20_000 // two transactions weigh more than the blobs of an Ethereum block
	for i, test := range []struct {
		env      chain.Env
		l1       optimism.L1
		sequence uint64
	}{
		{chain.Env{}, first, 1},
		{chain.Env{}, first, 2},
		{chain.Env{L1: &other, Deposits: []*optimism.Deposit{userDeposit(words(1, 2), 100_000)}}, other, 0},
		{chain.Env{L1: &other}, other, 1},
		{chain.Env{}, other, 2},
	} {
		d := draft(t, c, test.env)
		for range 2 {
			d = add(t, d, 0, call(t, 0, nonce(d, 0), storer, 100_000, words(3, 4)))
		}
		var block *chain.Block
		c, block = seal(t, d)
		l1, sequence, err := optimism.ReadL1(block.Transaction(0))
		require.NoError(t, err)
		require.Equal(t, test.l1, l1, "block %d", i+1)
		require.Equal(t, test.l1, c.L1(block), "block %d", i+1)
		require.Equal(t, test.l1.Fees, c.Fees(block), "block %d", i+1)
		require.Equal(t, test.sequence, sequence, "block %d", i+1)
		require.Equal(t, 3+len(test.env.Deposits), block.Count(), "block %d", i+1)
		deposits := 1 + len(test.env.Deposits)
		for at, receipt := range block.Receipts() {
			footprint := 100 * uint64(test.l1.DAFootprintGasScalar)
			if at < deposits {
				footprint = 0
			}
			require.Equal(t, footprint, receipt.BlobGasUsed, "block %d", i+1)
			require.EqualValues(t, at, receipt.TransactionIndex, "block %d", i+1)
		}
		require.Len(t, optimism.DepositsIn(block.Transactions()), deposits, "block %d", i+1)
		for at, tx := range block.Transactions() {
			in, index, ok := c.Find(tx.Hash())
			require.True(t, ok)
			require.Same(t, block, in)
			require.Equal(t, at, index)
		}
		require.Len(t, block.Logs(), 2+len(test.env.Deposits), "block %d", i+1)
	}
	require.EqualValues(t, 5, optimism.DepositsIn(c.BlockByNumber(3).Transactions())[1].Mint.Int64())
	unknown, _, ok := sealOne(t, newChain(t, "osaka")).Find(c.Head().Transaction(0).Hash())
	require.False(t, ok, "a chain under Ethereum's rules has none")
	require.Nil(t, unknown)
	restored := restore(t, c, nil, g)
	for n := uint64(1); n <= c.Head().Number(); n++ {
		requireSameBlock(t, c.BlockByNumber(n), restored.BlockByNumber(n))
	}
}

// TestBlockIsNotOversized checks that a block takes no transaction with which it would be larger than EIP-7934 allows,
// and that deposits count.
func TestBlockIsNotOversized(t *testing.T) {
	t.Parallel()
	_, c := newRollup(t)
	big := userDeposit(make([]byte, params.MaxBlockSize-200_000), 100_000_000)
	d := draft(t, c, chain.Env{GasLimit: 200_000_000, Deposits: []*optimism.Deposit{big}})
	transaction := func(size int) *types.Transaction {
		return call(t, 0, 0, address(1), 3_000_000, make([]byte, size))
	}
	_, _, err := d.Add(transaction(200_000), address(0))
	require.ErrorIs(t, err, core.ErrBlockOversized)
	_, block := seal(t, add(t, d, 0, transaction(190_000)))
	require.Greater(t, block.Size(), uint64(params.MaxBlockSize-20_000))
	require.LessOrEqual(t, block.Size(), uint64(params.MaxBlockSize))
}

// Ensure the blocks of an OP-stack chain are read as they were made, though those with nothing but the deposits of the
// system keep little: as orphans, from a record, and while several chains grow on the same head.
func TestQuietBlocks(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	for name, upgrade := range map[string]*optimism.Upgrade{"jovian": optimism.Azul, "denim": optimism.Denim} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rules := upgrade.DefaultRules()
			g := newGenesis(t, "osaka")
			made := make(map[uint64]*whole)
			c := newChainOf(t, g, chain.Options{Optimism: rules})
			l1 := rules.DefaultL1(genesisTime)
			for i := range 40 {
				env := chain.Env{BaseFee: big.NewInt(gwei)} // alike in all headers, so that little is kept of them
				switch i {
				case 11, 12:
					l1.Number, l1.Hash = 7, optimism.L1Hash(7)
					env.L1 = &l1
				case 21:
					env.Deposits = []*optimism.Deposit{userDeposit(words(1, 2), 100_000)}
				}
				d := draft(t, c, env)
				if i == 31 {
					d = add(t, d, 0, call(t, 0, nonce(d, 0), storer, 100_000, words(3, 4)))
				}
				c, _ = seal(t, d)
				made[c.Head().Number()] = wholeOf(t, c.Head())
			}
			check := func(t *testing.T, c *chain.Chain) {
				for n, want := range made {
					b, _ := c.BlockByHash(want.header.Hash())
					require.Equal(t, n, b.Number())
					require.Equal(t, want, wholeOf(t, b))
				}
			}
			check(t, c)
			check(t, c.Truncate(3))
			check(t, restore(t, grow(t, c, 2), nil, g))
			t.Run("growing", func(t *testing.T) {
				for i := range 3 {
					t.Run(strconv.Itoa(i), func(t *testing.T) {
						t.Parallel()
						grown := grow(t, c, 10)
						check(t, grown)
						for n := uint64(41); n <= 50; n++ {
							wholeOf(t, grown.BlockByNumber(n))
						}
					})
				}
			})
		})
	}
}

// whole is everything in a block that its hash depends on, and the results of its execution.
type whole struct {
	header       *types.Header
	transactions [][]byte
	senders      []string
	receipts     []types.Receipt
	l1           optimism.L1
}

func wholeOf(t *testing.T, b *chain.Block) *whole {
	w := &whole{header: types.CopyHeader(b.Header())}
	require.Equal(t, b.Hash(), w.header.Hash())
	require.Equal(t, w.header.TxHash, types.DeriveSha(b.Transactions(), trie.NewStackTrie(nil)))
	require.Equal(t, w.header.ReceiptHash, types.DeriveSha(evmstate.Receipts{Transactions: b.Transactions(), List: b.Receipts()}, trie.NewStackTrie(nil)))
	require.NotNil(t, b.Withdrawals())
	require.Equal(t, len(b.Transactions()), b.Count())
	for i, tx := range b.Transactions() {
		encoded, err := tx.MarshalBinary()
		require.NoError(t, err)
		require.Equal(t, tx.Hash(), b.Transaction(i).Hash())
		w.transactions = append(w.transactions, encoded)
		w.senders = append(w.senders, b.Sender(i).Hex()+strconv.FormatUint(tx.Nonce(), 10))
		receipt := *b.Receipts()[i]
		require.Equal(t, b.Hash(), receipt.BlockHash)
		if len(receipt.Logs) == 0 {
			receipt.Logs = nil // made, kept and restored blocks differ in it
		}
		w.receipts = append(w.receipts, receipt)
	}
	l1, _, err := optimism.ReadL1(b.Transaction(0))
	require.NoError(t, err)
	w.l1 = l1
	return w
}

// Ensure the limit of a transaction's gas has effect from Osaka on, in place of the EIPs', and is not below these.
func TestGasLimitOfTransactions(t *testing.T) {
	t.Parallel()
	require.NoError(t, chain.TxGasLimit(0).Validate())
	require.NoError(t, chain.TxGasLimit(16_777_216).Validate())
	require.NoError(t, chain.NoTxGasLimit.Validate())
	for _, low := range []chain.TxGasLimit{1, 16_777_215} {
		require.ErrorContains(t, low.Validate(), "is below 16777216, that of EIP-7825")
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
			require.Equal(t, limit, c.TxGasLimit)
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
