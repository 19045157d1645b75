package rollup_test

import (
	"encoding/binary"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf/control"
)

// bridgeCourse plays random steps of an L1 and its L2, and follows the L2's deposits from the L1 alone.
type bridgeCourse struct {
	*testing.T
	node      *fakenode.Node
	random    *rand.Rand
	snapshots []uint64
	seen      []common.Hash // of the L2's blocks that were compared, from block 0 on
	deposits  int
}

// deposit sends a transaction to the portal: calldata and value as they come, so that some of them fail.
func (c *bridgeCourse) deposit() {
	data := make([]byte, c.random.IntN(40))
	for i := range data {
		data[i] = byte(c.random.Uint32())
	}
	gas := uint64(20_000 + 40*len(data) + c.random.IntN(60_000))
	to, creation := common.Address{byte(c.random.IntN(4))}, uint64(0)
	if c.random.IntN(8) == 0 {
		to, creation = common.Address{}, 1
	}
	var words []byte
	for _, n := range []*big.Int{to.Big(), big.NewInt(c.random.Int64N(3)), new(big.Int).SetUint64(gas), new(big.Int).SetUint64(creation), big.NewInt(160), big.NewInt(int64(len(data)))} {
		words = append(words, common.BigToHash(n).Bytes()...)
	}
	call := append(crypto.Keccak256([]byte("depositTransaction(address,uint256,uint64,bool,bytes)"))[:4], words...)
	call = append(call, common.RightPadBytes(data, (len(data)+31)/32*32)...)
	portal := l1.Base.Portal
	c.send(c.node.L1(), fakenode.Tx{To: &portal, Value: uint256.NewInt(c.random.Uint64N(5)), Data: call, Gas: 2_000_000})
}

// withdraw starts a withdrawal on the L2.
func (c *bridgeCourse) withdraw() {
	passer := optimism.MessagePasser
	c.send(c.node.Network, fakenode.Tx{To: &passer, Value: uint256.NewInt(c.random.Uint64N(5)), Gas: 300_000})
}

// send signs a transaction of a random account for the next nonce that the pool has.
func (c *bridgeCourse) send(on *fakenode.Network, tx fakenode.Tx) {
	from := c.node.Account(c.random.IntN(5))
	_, err := on.Timeline().SendAs(from.Address, nil, func(nonce uint64) (*types.Transaction, error) {
		return types.SignNewTx(from.Key, on.Moment().Signer(), &types.DynamicFeeTx{
			ChainID: on.Moment().Chain().Config().ChainID, Nonce: nonce, GasFeeCap: big.NewInt(1e12), GasTipCap: big.NewInt(1),
			Gas: tx.Gas, To: tx.To, Value: tx.Value.ToBig(), Data: tx.Data,
		})
	})
	require.NoError(c, err)
}

func (c *bridgeCourse) step() {
	fates := []control.Fate{control.Requeue, control.Drop, control.Reverse}
	either := c.node.Network
	if c.random.IntN(2) == 0 {
		either = c.node.L1()
	}
	switch n := c.random.IntN(100); {
	case n < 30:
		c.deposit()
	case n < 45:
		c.withdraw()
	case n < 70:
		either.Advance(time.Duration(c.random.IntN(8000)) * time.Millisecond)
	case n < 80:
		either.Seal()
	case n < 90:
		depth := 1 + c.random.IntN(4)
		if uint64(depth) > either.BlockNumber()-min(either.BlockNumber(), either.Moment().Finalized().Number()) {
			return
		}
		length := c.random.IntN(depth + 2)
		_, err := either.Reorg(fakenode.ReorgOptions{
			Depth: depth, Length: &length, Transactions: fates[c.random.IntN(3)], Above: fates[c.random.IntN(3)],
		})
		require.NoError(c, err)
	case n < 94:
		c.snapshots = append(c.snapshots, either.Snapshot())
	case n < 97:
		if len(c.snapshots) > 0 {
			id := c.snapshots[c.random.IntN(len(c.snapshots))]
			if c.random.IntN(2) == 0 {
				require.NoError(c, either.Revert(id))
			} else {
				require.NoError(c, either.Timeline().RevertAnnounced(id))
			}
		}
	case n < 99:
		require.NoError(c, either.Timeline().IncreaseTime(time.Duration(c.random.IntN(60))*time.Second))
	default:
		if len(c.snapshots) > 0 {
			require.NoError(c, either.Revert(c.snapshots[0]))
		}
	}
}

// follow compares the blocks of the L2 that were not compared before with what the L1 alone says.
func (c *bridgeCourse) follow() {
	below, above := c.node.L1().Moment().Chain(), c.node.Moment().Chain()
	require.Equal(c, c.node.Now(), c.node.L1().Now())
	head := above.Head().Number()
	c.seen = c.seen[:min(len(c.seen), int(head)+1)]
	for len(c.seen) > 0 && above.BlockByNumber(uint64(len(c.seen)-1)).Hash() != c.seen[len(c.seen)-1] {
		c.seen = c.seen[:len(c.seen)-1]
	}
	for n := uint64(len(c.seen)); n <= head; n++ {
		b := above.BlockByNumber(n)
		c.seen = append(c.seen, b.Hash())
		if n > 0 {
			c.compare(below, above.L1(above.BlockByNumber(n-1)), above.L1(b), b)
		}
	}
}

// compare ensures that a block of the L2 has the deposits of its origin if it is the first one there, and else none.
func (c *bridgeCourse) compare(below *chain.Chain, before, origin optimism.L1, b *chain.Block) {
	on := below.BlockByNumber(origin.Number)
	require.NotNil(c, on)
	require.Equal(c, on.Hash(), origin.Hash)
	require.LessOrEqual(c, origin.Time, b.Time())
	var want []common.Hash
	if origin.Number != before.Number {
		require.Equal(c, before.Number+1, origin.Number)
		topic := crypto.Keccak256Hash([]byte("TransactionDeposited(address,address,uint256,bytes)"))
		for _, log := range on.Logs() {
			if log.Address == l1.Base.Portal && log.Topics[0] == topic {
				var id [64]byte
				copy(id[:], origin.Hash[:])
				binary.BigEndian.PutUint64(id[56:], uint64(log.Index))
				want = append(want, crypto.Keccak256Hash(make([]byte, 32), crypto.Keccak256(id[:])))
			}
		}
	} else if next := below.BlockByNumber(origin.Number + 1); next != nil && c.node.Moment().NoFlashblocks() != nil {
		// Only a block that begins before it is sealed misses its origin, and one that is there when a reorg gives the
		// L1 another block of the same second.
		require.GreaterOrEqual(c, next.Time(), b.Time())
	}
	var got []common.Hash
	for _, d := range optimism.UserDeposits(optimism.DepositsIn(b.Transactions())) {
		got = append(got, d.SourceHash)
	}
	require.Equal(c, want, got, "block %d", b.Number())
	c.deposits += len(got)
}

// Ensure the deposits of an L2 follow from the L1 alone, through deposits, withdrawals, reorgs of either, snapshots and
// time, and that the same steps make the same blocks. FAKENODE_BRIDGE_STEPS and FAKENODE_BRIDGE_SEED make it others.
func TestBridgeRandomSteps(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	steps := laboratory.Number(t, "FAKENODE_BRIDGE_STEPS", laboratory.Budget(t, 80, 600))
	seed := laboratory.Number[uint64](t, "FAKENODE_BRIDGE_SEED", 1)
	for _, preset := range []fakenode.Preset{fakenode.Base, fakenode.BaseFlashblocks} {
		t.Run(string(preset), func(t *testing.T) {
			t.Parallel()
			var heads [2][]common.Hash
			for round := range heads {
				c := &bridgeCourse{
					T: t, random: rand.New(rand.NewPCG(seed, 2)),
					node: fakenode.RunConfigT(t, fakenode.Config{Preset: preset, L1: &fakenode.L1Config{}, StartTime: time.Unix(1_800_000_000, 0)}),
				}
				for range steps {
					c.step()
					c.follow()
				}
				require.Greater(t, c.deposits, steps/20)
				heads[round] = []common.Hash{c.node.Moment().Latest().Hash(), c.node.L1().Moment().Latest().Hash()}
			}
			require.Equal(t, heads[0], heads[1])
		})
	}
}
