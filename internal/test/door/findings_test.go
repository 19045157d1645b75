package door_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure a finding names the calls down to the one that another fork breaks, and that a transaction that fails under
// the first fork has none about its price: there is nothing to compare it with.
func TestFindings(t *testing.T) {
	t.Parallel()
	var (
		hook   = common.Address{0xa1} // takes a new slot
		stingy = common.Address{0xa2} // calls hook with 50,000 gas
		slots  = common.Address{0xa3} // asks for the slot number, which osaka does not know
		tidy   = common.Address{0xa5} // clears a slot
		modern = common.Address{0xa4} // takes a new slot if slots answers, and reverts otherwise
	)
	node := fakenode.RunT(t)
	node.SetCode(hook, program.New().Push(1).Op(vm.NUMBER, vm.SSTORE, vm.STOP).Bytes())
	node.SetCode(stingy, program.New().Call(uint256.NewInt(50_000), hook, 0, 0, 0, 0, 0).Op(vm.STOP).Bytes())
	node.SetCode(tidy, program.New().Push0().Push(1).Op(vm.SSTORE, vm.STOP).Bytes())
	node.SetStorage(tidy, common.Hash{31: 1}, common.Hash{31: 1})
	node.SetCode(slots, program.New().Op(vm.SLOTNUM, vm.STOP).Bytes())
	guarded := program.New().Call(uint256.NewInt(1_000), slots, 0, 0, 0, 0, 0)
	behind := byte(guarded.Size() + 6) // the JUMPDEST behind a push, the jump and a revert
	node.SetCode(modern, guarded.Push(behind).Op(vm.JUMPI).Push0().Push0().Op(vm.REVERT, vm.JUMPDEST).Push(1).Op(vm.NUMBER, vm.SSTORE, vm.STOP).Bytes())

	type finding struct{ name, last string }
	for _, c := range []struct {
		name string
		to   common.Address
		want []finding
	}{
		{"a fixed amount of gas in code", stingy, []finding{{"fixed-gas-in-code", hook.Hex() + ".receive"}}},
		{"a call that only amsterdam knows", modern, []finding{{"other-outcome", slots.Hex() + ".receive"}}},
		{"gas given back", tidy, []finding{{"refund", tidy.Hex() + ".receive"}}},
		{"a new slot", hook, []finding{{"new-state", hook.Hex() + ".receive"}}},
	} {
		sent, err := node.Transact(node.Account(0), fakenode.Tx{To: &c.to, Gas: 1_000_000})
		require.NoError(t, err)
		node.Seal()
		compared, err := node.CompareForks(sent)
		require.NoError(t, err)
		var have []finding
		for _, f := range compared.Findings {
			have = append(have, finding{f.Name, f.Calls[len(f.Calls)-1]})
		}
		require.Equal(t, c.want, have, "%s: %v", c.name, compared.Outcomes)
	}
}

// Ensure a call that both forks take, one fork rejects or both reject is shown as a whole, and that the forks must be
// known ones.
func TestCompareCall(t *testing.T) {
	t.Parallel()
	gauge := common.Address{0xa1} // returns the gas left
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: time.Unix(1_800_000_000, 0)})
	node.SetCode(gauge, program.New().Op(vm.GAS).Push0().Op(vm.MSTORE).Return(0, 32).Bytes())
	node.Seal()
	const to, zero = `"to":"0xa100000000000000000000000000000000000000"`, `"hash":"0x0000000000000000000000000000000000000000000000000000000000000000","block":1,"index":0,`
	const from0 = `"from":"0x0000000000000000000000000000000000000000",`
	for _, c := range []struct{ options, want string }{
		{`{"call":[{` + to + `,"gas":"0x186a0"},"latest"]}`, `"result":{"forks":["osaka","amsterdam"],"compared":1,"breaks":0,"transactions":[{` + zero + from0 + to + `,"gasLimit":100000,"differs":["gas"],` +
			`"outcomes":[{"status":"success","gasUsed":21016,"logs":[]},{"status":"success","gasUsed":15016,"logs":[]}],` +
			`"findings":[{"name":"call-result","level":"warning","calls":["0xA100000000000000000000000000000000000000.receive"],` +
			`"gas":[{"limit":100000,"used":21016,"transactionExecution":21016,"transactionState":0},{"limit":100000,"used":15016,"transactionExecution":15016,"transactionState":0}],` +
			`"do":"do not return what gas is left, or what else the fork changes"}]}]}`},
		{`{"call":[{"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",` + to + `,"gas":"0x5207"}]}`, `"result":{"forks":["osaka","amsterdam"],"compared":1,"breaks":0,` +
			`"transactions":[{` + zero + `"from":"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",` + to + `,"gasLimit":20999,"differs":["status","gas"],` +
			`"outcomes":[{"status":"rejected","reason":"intrinsic gas too low: have 20999, want 21000","gasUsed":0,"logs":[]},{"status":"success","gasUsed":15016,"logs":[]}],` +
			`"findings":[{"name":"other-outcome","level":"error","calls":["0xA100000000000000000000000000000000000000.transfer"],` +
			`"gas":[{"limit":20999,"used":0,"transactionExecution":0,"transactionState":0},{"limit":20999,"used":15016,"transactionExecution":15016,"transactionState":0}],` +
			`"do":"compare the traces under both forks: debug_traceTransaction of a run with --hardfork amsterdam"}]}]}`},
		{`{"call":[{"gas":"0xcf08","data":"0x00"}],"forks":["shanghai","prague"]}`, `"result":{"forks":["shanghai","prague"],"compared":1,"breaks":0,"transactions":[{` + zero + from0 + `"to":null,"gasLimit":53000,"differs":[],` +
			`"outcomes":[{"status":"rejected","reason":"intrinsic gas too low: have 53000, want 53006","gasUsed":0,"logs":[]},` +
			`{"status":"rejected","reason":"intrinsic gas too low: have 53000, want 53006","gasUsed":0,"logs":[]}],"findings":[]}]}`},
		{`{"call":[{` + to + `}],"forks":["osaka","nowhere"]}`, `"error":{"code":-32602,"message":"fakenode_compareForks: unknown hard fork \"nowhere\", known are ` + strings.Join(fakenode.Hardforks(), ", ") + `"}`},
	} {
		response, err := http.Post(node.URL(), "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"fakenode_compareForks","params":[`+c.options+`]}`))
		require.NoError(t, err)
		answer, err := io.ReadAll(response.Body)
		require.NoError(t, errors.Join(err, response.Body.Close()))
		require.Equal(t, `{"jsonrpc":"2.0","id":1,`+c.want+"}", string(answer))
	}
}
