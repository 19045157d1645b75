package dialect_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure each step of Hardhat's struct logger has the slots of the contract whose storage it uses, through each kind of
// call and back.
func TestHardhatTraceFollowsStorage(t *testing.T) {
	t.Parallel()
	n := newDevNode(t, fakenode.Config{Preset: fakenode.Hardhat})
	outer, inner, reader, maker := common.Address{1, 1}, common.Address{2, 2}, common.Address{3, 3}, common.Address{4, 4}
	n.SetCode(inner, program.New().Sstore(7, 0x77).Op(vm.STOP).Bytes())
	n.SetCode(reader, program.New().Push(9).Op(vm.SLOAD, vm.POP, vm.STOP).Bytes())
	creation := program.New().Sstore(5, 0x55).Op(vm.STOP).Bytes()
	n.SetCode(maker, program.New().Mstore(creation, 0).Push(len(creation)).Push0().Push0().Op(vm.CREATE, vm.POP, vm.STOP).Bytes())
	for name, c := range map[string]struct {
		call         []byte
		within, back string // the slots of the last step of the code called, and of the step after
	}{
		"call":         {program.New().Call(nil, inner, 0, 0, 0, 0, 0).Bytes(), "7:77", "1:11"},
		"staticcall":   {program.New().StaticCall(nil, reader, 0, 0, 0, 0).Bytes(), "9:0", "1:11"},
		"delegatecall": {program.New().DelegateCall(nil, inner, 0, 0, 0, 0).Bytes(), "1:11 7:77", "1:11 7:77"},
		"callcode":     {program.New().CallCode(nil, inner, 0, 0, 0, 0, 0).Bytes(), "1:11 7:77", "1:11 7:77"},
		"create":       {program.New().DelegateCall(nil, maker, 0, 0, 0, 0).Bytes(), "5:55", "1:11"},
		"twice":        {program.New().Call(nil, inner, 0, 0, 0, 0, 0).Op(vm.POP).Call(nil, reader, 0, 0, 0, 0, 0).Bytes(), "9:0", "1:11"},
	} {
		n.SetCode(outer, append(program.New().Sstore(1, 0x11).Append(c.call).Bytes(), byte(vm.POP), byte(vm.STOP)))
		steps := answer[hardhatSteps](n, "debug_traceCall", n.object(map[string]any{"to": outer}), "latest").StructLogs
		slots := func(step map[string]any) string {
			var all []string
			for slot := range 10 {
				if value, ok := step["storage"].(map[string]any)[fmt.Sprintf("%064x", slot)]; ok {
					require.Len(t, value, 64)
					all = append(all, fmt.Sprintf("%d:%s", slot, strings.TrimLeft(value.(string)[:63], "0")+value.(string)[63:]))
				}
			}
			return strings.Join(all, " ")
		}
		deepest, last := 1, 0
		for i, step := range steps {
			if depth := int(step["depth"].(float64)); depth >= deepest {
				deepest, last = depth, i
			}
		}
		require.Greater(t, deepest, 1, name)
		require.Equal(t, c.within, slots(steps[last]), name)
		require.Equal(t, c.back, slots(steps[len(steps)-1]), name)
		require.Empty(t, slots(steps[0]), name)
	}
}

// Ensure each option of Hardhat's struct logger leaves out its own part, and a limit that the client gives holds.
func TestHardhatTraceOptions(t *testing.T) {
	t.Parallel()
	n := newDevNode(t, fakenode.Config{Preset: fakenode.Hardhat})
	account := common.Address{1, 1}
	n.SetCode(account, program.New().Sstore(1, 0x11).Push(2).Push(32).Op(vm.MSTORE).Return(32, 32).Bytes())
	call := n.object(map[string]any{"to": account, "gas": "0xf4240"})
	trace := func(options any) hardhatSteps {
		return answer[hardhatSteps](n, "debug_traceCall", call, "latest", options)
	}
	whole := trace(nil)
	require.Equal(t, fmt.Sprintf("%064x", 2), strings.TrimPrefix(whole.ReturnValue, "0x"))
	require.False(t, whole.Failed)
	require.Equal(t, []any{}, whole.StructLogs[0]["stack"])
	require.Equal(t, []any{}, whole.StructLogs[0]["memory"])
	last := len(whole.StructLogs) - 1
	require.Equal(t, []any{fmt.Sprintf("%064x", 0), fmt.Sprintf("%064x", 2)}, whole.StructLogs[last]["memory"])
	for option, member := range map[string]string{"disableMemory": "memory", "disableStack": "stack", "disableStorage": "storage"} {
		steps := trace(map[string]any{option: true}).StructLogs
		require.Len(t, steps, last+1)
		for _, other := range []string{"memory", "stack", "storage"} {
			if other == member {
				require.NotContains(t, steps[last], other)
			} else {
				require.Equal(t, whole.StructLogs[last][other], steps[last][other])
			}
		}
	}
	require.Less(t, len(trace(map[string]any{"limit": 300}).StructLogs), last)
	require.Equal(t, whole, trace(map[string]any{"limit": 1 << 30}))
	require.Equal(t, whole, answer[hardhatSteps](n, "debug_traceTransaction", answer[common.Hash](n, "eth_sendTransaction", call)))
}
