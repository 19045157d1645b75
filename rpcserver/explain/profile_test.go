package explain_test

import (
	"math/big"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure fakenode_profile describes a transaction, pre-confirmed and sealed, and a call on the block that it names, and
// refuses what it cannot mean.
func TestProfile(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	type profile struct {
		Transaction           *common.Hash
		Error                 string
		GasUsed, IntrinsicGas uint64
		Functions             []struct{ Address common.Address }
	}
	tx := n.Transact(0, &servertest.Reverter, new(big.Int), []byte{1})
	pooled := n.Sign(0, &servertest.Bob.Address, new(big.Int), nil)
	n.Refuses(api.CodeServer, []string{tx.Hash().Hex() + " is in no sealed or pre-confirmed block"}, "fakenode_profile", tx.Hash())
	n.Refuses(api.CodeServer, []string{pooled.Hash().Hex() + " is in no sealed"}, "fakenode_profile", pooled.Hash())
	n.Preconfirm()
	early := servertest.Fetch[profile](n, "fakenode_profile", tx.Hash())
	n.Seal(1)
	sealed := servertest.Fetch[profile](n, "fakenode_profile", tx.Hash())
	require.Equal(t, early, sealed)
	require.Equal(t, tx.Hash(), *sealed.Transaction)
	require.Equal(t, "execution reverted: 0x01", sealed.Error)
	require.Equal(t, n.Timeline.Moment().Latest().Receipts()[0].GasUsed, sealed.GasUsed)

	emptied := common.HexToAddress("0xe4")
	n.Do("anvil_setCode", emptied, hexutil.Bytes(program.New().Op(vm.GAS, vm.POP).Bytes()))
	call := map[string]any{"to": emptied}
	n.Seal(1)
	for _, tag := range []any{nil, "latest", "pending", "0x2"} {
		is := servertest.Fetch[profile](n, "fakenode_profile", call, tag)
		require.Nil(t, is.Transaction)
		require.EqualValues(t, 21_000+2+2, is.GasUsed, "%v", tag)
		require.EqualValues(t, 21_000, is.IntrinsicGas)
		require.Equal(t, emptied, is.Functions[0].Address)
	}
	require.EqualValues(t, 21_000, servertest.Fetch[profile](n, "fakenode_profile", call, "earliest").GasUsed, "there was no code")

	n.Refuses(api.CodeInvalidParams, []string{"argument 1 (block) of fakenode_profile is for a call"}, "fakenode_profile", tx.Hash(), "latest")
	n.Refuses(api.CodeInvalidParams, []string{`"too"`}, "fakenode_profile", map[string]any{"too": emptied})
	n.Refuses(api.CodeInvalidParams, []string{"want the hash of a transaction, or a call object"}, "fakenode_profile", 7)
	n.Refuses(api.CodeInvalidParams, []string{"want the hash of a transaction, or a call object"}, "fakenode_profile", "0x12")
	n.Refuses(api.CodeNotFound, []string{"block not found: 0x9"}, "fakenode_profile", call, "0x9")
	n.Refuses(api.CodeServer, []string{"insufficient funds"}, "fakenode_profile", map[string]any{"from": emptied, "value": "0x1"})
}

// told collects what a node tells its user, from many goroutines.
type told struct {
	sync.Mutex
	texts []string
}

func (t *told) add(text string) {
	t.Lock()
	defer t.Unlock()
	t.texts = append(t.texts, text)
}

// take returns the texts since the last time.
func (t *told) take() []string {
	t.Lock()
	defer t.Unlock()
	texts := t.texts
	t.texts = nil
	return texts
}

// Ensure the node's user is told each line that an eth_call logs, at any depth and even if it is undone, and the trace
// of each call and estimate that fails, and of no other.
func TestCallsAreTold(t *testing.T) {
	t.Parallel()
	var lines, traces told
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{
		Console: func(data []byte) { lines.add(string(data)) }, Traces: traces.add,
	}})
	says := func(text string) *program.Program {
		return program.New().Mstore([]byte(text), 0).Op(vm.POP).StaticCall(nil, chain.ConsoleAddress, 0, len(text), 0, 0)
	}
	quiet, inner, outer := common.HexToAddress("0xa0"), common.HexToAddress("0xa1"), common.HexToAddress("0xa2")
	revert := func(p *program.Program) []byte { return p.Push0().Push0().Op(vm.REVERT).Bytes() }
	n.Do("anvil_setCode", quiet, hexutil.Bytes{byte(vm.STOP)})
	n.Do("anvil_setCode", inner, hexutil.Bytes(revert(program.New().Push0().Append(says("inner").Bytes()))))
	n.Do("anvil_setCode", outer, hexutil.Bytes(program.New().Push0().Append(says("first").Bytes()).
		Call(nil, quiet, 0, 0, 0, 0, 0).Call(nil, inner, 0, 0, 0, 0, 0).Push0().Append(says("last").Bytes()).Op(vm.STOP).Bytes()))
	to := func(account common.Address) map[string]any { return map[string]any{"to": account} }

	n.Do("eth_call", to(outer), "latest")
	require.Equal(t, []string{"first", "inner", "last"}, lines.take())
	require.Empty(t, traces.take(), "it did not fail")
	n.Do("eth_estimateGas", to(outer))
	require.Empty(t, lines.take(), "an estimate executes many times")
	n.Do("eth_call", to(quiet), "latest")
	require.Empty(t, lines.take())

	for _, method := range []string{"eth_call", "eth_estimateGas"} {
		n.Fails(api.CodeServer, method, to(inner), "latest")
		texts := traces.take()
		require.Len(t, texts, 1)
		require.Truef(t, strings.HasPrefix(texts[0], "failed "+method+"\n"), texts[0])
		require.Contains(t, texts[0], inner.Hex()+".0x\n")
	}
	require.Equal(t, 1, len(slices.Compact(lines.take())), "inner, as it was called")
	n.Fails(api.CodeServer, "eth_call", map[string]any{"to": quiet, "gas": "0x1"}, "latest")
	require.Empty(t, traces.take(), "its gas did not suffice to begin")
	require.Empty(t, lines.take())
}
