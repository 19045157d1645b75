package simulate_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/simulate"
)

var (
	etherToken    = common.HexToAddress("0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee")
	transferTopic = common.HexToHash("0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef")
)

func TestRunTracesTransfers(t *testing.T) {
	t.Parallel()
	var (
		forwards  = target
		delegates = another
		fails     = common.HexToAddress("0xc3")
		catches   = common.HexToAddress("0xc4")
		dies      = common.HexToAddress("0xc5")
		creates   = common.HexToAddress("0xc6")
	)
	v := newView(t, "", map[common.Address][]byte{
		forwards:  program.New().Push0().Push0().Op(vm.LOG0).Call(nil, nobody, 3, 0, 0, 0, 0).Push0().Push0().Op(vm.LOG0, vm.STOP).Bytes(),
		delegates: program.New().DelegateCall(nil, forwards, 0, 0, 0, 0).CallCode(nil, forwards, 1, 0, 0, 0, 0).Bytes(),
		fails:     program.New().Call(nil, nobody, 3, 0, 0, 0, 0).Push0().Push0().Op(vm.REVERT).Bytes(),
		catches:   program.New().Call(nil, fails, 5, 0, 0, 0, 0).Call(nil, nobody, 1, 0, 0, 0, 0).Bytes(),
		dies:      program.New().Selfdestruct(nobody).Bytes(),
		creates:   program.New().Push0().Push0().Op(vm.CALLVALUE, vm.CREATE).Bytes(),
	})
	type move struct {
		from, to common.Address // both zero: a log of the contract
		wei      uint64
	}
	plain := move{}
	for _, test := range []struct {
		name string
		to   common.Address
		wei  uint64
		want []move
	}{
		{"plain", nobody, 9, []move{{rich, nobody, 9}}},
		{"nothing", nobody, 0, nil},
		{"forwarded, between logs", forwards, 9, []move{{rich, forwards, 9}, plain, {forwards, nobody, 3}, plain}},
		{"delegated", delegates, 9, []move{{rich, delegates, 9}, plain, {delegates, nobody, 3}, plain, plain, {delegates, nobody, 3}, plain}},
		{"reverted", fails, 9, nil},
		{"reverted inside", catches, 9, []move{{rich, catches, 9}, {catches, nobody, 1}}},
		{"self-destruct", dies, 9, []move{{rich, dies, 9}, {dies, nobody, 9}}},
		{"creation", creates, 9, []move{{rich, creates, 9}, {creates, crypto.CreateAddress(creates, 0), 9}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			payload := simulate.Payload{Blocks: []simulate.Block{{Calls: []simulate.Call{transfer(test.to, test.wei), transfer(nobody, 1)}}}}
			without := run(t, v, payload)[0]
			payload.TraceTransfers = true
			with := run(t, v, payload)[0]
			require.Equal(t, without.Block.Hash(), with.Block.Hash(), "in no bloom, no receipt")

			var moves []move
			for i, log := range with.Calls[0].Logs {
				require.Equal(t, uint(i), log.Index)
				require.Equal(t, with.Block.Hash(), log.BlockHash)
				if log.Address != etherToken {
					moves = append(moves, plain)
					continue
				}
				require.Equal(t, transferTopic, log.Topics[0])
				moves = append(moves, move{
					common.BytesToAddress(log.Topics[1][:]), common.BytesToAddress(log.Topics[2][:]),
					new(uint256.Int).SetBytes(log.Data).Uint64(),
				})
			}
			require.Equal(t, test.want, moves)
			require.Equal(t, uint(len(moves)), with.Calls[1].Logs[0].Index, "runs on")
		})
	}
}

// Ensure a log's index is its position in the block, whatever logs were dropped with their frames.
func TestRunDoesNotCountRevertedLogs(t *testing.T) {
	t.Parallel()
	v := newView(t, "", map[common.Address][]byte{
		target:  counter(),
		another: program.New().Push0().Push0().Op(vm.LOG0).Push0().Push0().Op(vm.REVERT).Bytes(),
	})
	payload := simulate.Payload{Blocks: []simulate.Block{{Calls: []simulate.Call{callTo(another), callTo(target)}}}}
	require.Equal(t, uint(0), run(t, v, payload)[0].Calls[1].Logs[0].Index)
	payload.TraceTransfers = true
	require.Equal(t, uint(0), run(t, v, payload)[0].Calls[1].Logs[0].Index)
}
