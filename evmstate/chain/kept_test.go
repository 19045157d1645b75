package chain_test

import (
	"math/big"
	"strconv"
	"testing"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Ensure the blocks of an OP-stack chain are read as they were made, though those with nothing but the deposits of the
// system keep little: as orphans, from a record, and while several chains grow on the same head.
func TestQuietBlocks(t *testing.T) {
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
