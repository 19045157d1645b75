package profile_test

import (
	"bytes"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/internal/artifacts"
	"github.com/fakenode/fakenode/internal/profile"
)

var (
	payer, till, shelf, stranger = common.Address{0xaa}, common.Address{0xbb}, common.Address{0xcc}, common.Address{0xdd}
	tillCode, unknownCode        = []byte{1, 2, 3, 4}, []byte{9, 8, 7}
	pay                          = crypto.Keccak256([]byte("pay(uint256)"))[:4]
	paid                         = crypto.Keccak256Hash([]byte("Paid(uint256)"))
)

// known returns the artifacts of the contract Till.
func known(t *testing.T) *artifacts.Set {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, "Till.sol"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "Till.sol", "Till.json"), []byte(`{"abi":[
		{"type":"function","name":"pay","inputs":[{"name":"amount","type":"uint256"}],"outputs":[{"name":"","type":"uint256"}]},
		{"type":"event","name":"Paid","inputs":[{"name":"amount","type":"uint256"}]},
		{"type":"error","name":"Shut","inputs":[{"name":"until","type":"uint256"}]}
		],"bytecode":{"object":"0x00"},"deployedBytecode":{"object":"`+hexutil.Encode(tillCode)+`"},
		"storageLayout":{"storage":[{"label":"last","slot":"3","offset":0}]}}`), 0o600))
	set, err := artifacts.Load([]string{folder})
	require.NoError(t, err)
	return set
}

// newChain returns a chain, whose only use is to say why calls reverted.
func newChain(t *testing.T) *chain.Chain {
	t.Helper()
	config, err := chain.ForkConfig("osaka", 31337)
	require.NoError(t, err)
	c, err := chain.New(&chain.Genesis{Config: config, GasLimit: 30_000_000, Difficulty: new(big.Int), Alloc: chain.SystemContracts(config)}, chain.Options{})
	require.NoError(t, err)
	return c
}

// call returns a branch of a call from the till.
func call(op string, to common.Address, gas uint64, value int64) *trace.Branch {
	return &trace.Branch{Op: op, From: till, To: to, Value: big.NewInt(value), GasUsed: gas}
}

// running returns b running code.
func running(b *trace.Branch, code []byte) *trace.Branch {
	b.Code, b.CodeHash = code, crypto.Keccak256Hash(code)
	return b
}

// word returns 32 bytes that end in n.
func word(n byte) common.Hash { return common.Hash{31: n} }

// paying returns a payment of 9 wei into the till, which does a little of everything below it.
func paying() *trace.Tree {
	root := running(&trace.Branch{
		Op: "CALL", From: payer, To: till, Value: big.NewInt(9), GasUsed: 60_000,
		Input: append(bytes.Clone(pay), word(5).Bytes()...), Output: word(7).Bytes(),
	}, tillCode)
	failed := running(call("CALL", shelf, 5_000, 2), unknownCode)
	failed.Err, failed.Input = vm.ErrOutOfGas, []byte{1, 2, 3, 4, 5}
	failed.Steps = []trace.Step{{Branch: call("CALL", stranger, 10, 1)}}
	logs := call("STATICCALL", chain.ConsoleAddress, 100, 0)
	logs.Input = append(crypto.Keccak256([]byte("log(uint256)"))[:4], word(42).Bytes()...)
	self := running(call("DELEGATECALL", shelf, 700, 9), unknownCode)
	self.Input = bytes.Repeat([]byte{0xee}, 70)
	root.Steps = []trace.Step{
		{Branch: logs}, {Branch: call("STATICCALL", common.BytesToAddress([]byte{1}), 3_000, 0)}, {Branch: call("CALL", stranger, 2_000, 1)},
		{Branch: call("CALL", stranger, 1_000, 0)}, {Branch: self},
		{Log: &types.Log{Address: till, Topics: []common.Hash{paid}, Data: word(7).Bytes()}},
		{Log: &types.Log{Address: shelf, Topics: []common.Hash{word(1)}, Data: []byte{2}}},
		{Branch: running(call("CREATE2", common.Address{0xff}, 32_000, 3), unknownCode)}, {Branch: failed},
	}
	return &trace.Tree{Hash: common.Hash{0xab}, Root: root, GasUsed: 80_000, Intrinsic: 21_000}
}

// Ensure a profile has the gas of each function, named as its documentation says, the most first.
func TestFunctions(t *testing.T) {
	t.Parallel()
	p := profile.New(paying(), newChain(t), known(t))
	require.Equal(t, &common.Hash{0xab}, p.Transaction)
	require.Equal(t, []uint64{80_000, 21_000, 1_000, 0}, []uint64{p.GasUsed, p.IntrinsicGas, p.RefundedGas, p.FloorGas})
	tillName := profile.Code{Contract: "Till"}
	require.Equal(t, []profile.Function{
		{Address: common.Address{0xff}, Function: "constructor", Calls: 1, Gas: 32_000, TotalGas: 32_000},
		{Address: till, Code: tillName, Function: "pay(uint256)", Calls: 1, Gas: 16_200, TotalGas: 60_000},
		{Address: shelf, Function: "0x01020304", Calls: 1, Gas: 4_990, TotalGas: 5_000},
		{Address: stranger, Function: "transfer", Calls: 3, Gas: 3_010, TotalGas: 3_010},
		{Address: common.BytesToAddress([]byte{1}), Code: profile.Code{Contract: "ecrecover"}, Function: "precompile", Calls: 1, Gas: 3_000, TotalGas: 3_000},
		{Address: shelf, Function: "0xeeeeeeee", Calls: 1, Gas: 700, TotalGas: 700},
		{Address: chain.ConsoleAddress, Function: "console.log", Calls: 1, Gas: 100, TotalGas: 100},
	}, p.Functions)
	for name, test := range map[string]struct {
		branch *trace.Branch
		want   string
	}{
		"self-destruction": {call("SELFDESTRUCT", stranger, 0, 1), "selfdestruct"},
		"without data":     {running(call("CALL", shelf, 0, 0), unknownCode), "receive"},
		"p256":             {call("CALL", common.BytesToAddress([]byte{1, 0}), 0, 0), "precompile"},
	} {
		require.Equal(t, test.want, profile.New(&trace.Tree{Root: test.branch}, newChain(t), nil).Functions[0].Function, name)
	}
}

// Ensure the gas of a profile adds up to what was paid, with what was refunded, and with the least price of the data.
func TestGasAddsUp(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ used, refunded, floor uint64 }{{31_000, 0, 0}, {29_000, 2_000, 0}, {35_000, 0, 4_000}} {
		tree := &trace.Tree{Root: call("CALL", stranger, 10_000, 0), GasUsed: test.used, Intrinsic: 21_000}
		p := profile.New(tree, newChain(t), nil)
		require.Equal(t, []uint64{test.used, test.refunded, test.floor}, []uint64{p.GasUsed, p.RefundedGas, p.FloorGas})
		require.Nil(t, p.Transaction, "of a call")
	}
}

// Ensure movements are those of ether that calls and creations sent and of tokens that were logged, without what a
// failure undid.
func TestMovements(t *testing.T) {
	t.Parallel()
	p := profile.New(paying(), newChain(t), nil)
	wei := func(from, to common.Address, amount int64) profile.Movement {
		return profile.Movement{From: from, To: to, Amount: (*hexutil.Big)(big.NewInt(amount))}
	}
	require.Equal(t, []profile.Movement{wei(payer, till, 9), wei(till, stranger, 1), wei(till, common.Address{0xff}, 3)}, p.Movements)
	itself := call("CALL", till, 0, 5)
	require.Empty(t, profile.New(&trace.Tree{Root: itself}, newChain(t), nil).Movements, "to itself")
	failed := call("CALL", stranger, 0, 5)
	failed.Err = vm.ErrDepth
	require.Empty(t, profile.New(&trace.Tree{Root: failed}, newChain(t), nil).Movements)
}

// Ensure the events of ERC-20, ERC-721 and ERC-1155 are movements, and logs that only look like them are not.
func TestTokenMovements(t *testing.T) {
	t.Parallel()
	topic := func(event string) common.Hash { return crypto.Keccak256Hash([]byte(event)) }
	of := func(address common.Address) common.Hash { return common.BytesToHash(address[:]) }
	transfer, single, batch := topic("Transfer(address,address,uint256)"), topic("TransferSingle(address,address,address,uint256,uint256)"),
		topic("TransferBatch(address,address,address,uint256[],uint256[])")
	words := func(numbers ...byte) (data []byte) {
		for _, n := range numbers {
			data = append(data, word(n).Bytes()...)
		}
		return data
	}
	huge := bytes.Repeat([]byte{0xff}, 32)
	type moved struct{ amount, id int64 } // id -1: none
	for name, test := range map[string]struct {
		topics []common.Hash
		data   []byte
		want   []moved
	}{
		"ERC-20":                  {[]common.Hash{transfer, of(payer), of(till)}, words(7), []moved{{7, -1}}},
		"ERC-20 without data":     {[]common.Hash{transfer, of(payer), of(till)}, nil, nil},
		"ERC-721":                 {[]common.Hash{transfer, of(payer), of(till), word(8)}, nil, []moved{{1, 8}}},
		"ERC-1155":                {[]common.Hash{single, of(stranger), of(payer), of(till)}, words(3, 4), []moved{{4, 3}}},
		"ERC-1155 of one word":    {[]common.Hash{single, of(stranger), of(payer), of(till)}, words(3), nil},
		"ERC-1155 batch":          {[]common.Hash{batch, of(stranger), of(payer), of(till)}, words(64, 160, 2, 5, 6, 2, 7, 8), []moved{{7, 5}, {8, 6}}},
		"batch of unequal lists":  {[]common.Hash{batch, of(stranger), of(payer), of(till)}, words(64, 160, 2, 5, 6, 1, 7), nil},
		"batch of a list too far": {[]common.Hash{batch, of(stranger), of(payer), of(till)}, words(64, 255, 1, 5, 1, 7), nil},
		"batch of a long list":    {[]common.Hash{batch, of(stranger), of(payer), of(till)}, words(64, 128, 9, 5, 9, 7), nil},
		"batch without data":      {[]common.Hash{batch, of(stranger), of(payer), of(till)}, nil, nil},
		"batch of one list twice": {[]common.Hash{batch, of(stranger), of(payer), of(till)}, words(64, 64, 2, 5, 6), []moved{{5, 5}, {6, 6}}},
		"batch that is cut":       {[]common.Hash{batch, of(stranger), of(payer), of(till)}, words(64, 64, 2, 5, 6)[:159], nil},
		"batch of empty lists":    {[]common.Hash{batch, of(stranger), of(payer), of(till)}, words(64, 96, 0), nil},
		"batch at a huge place":   {[]common.Hash{batch, of(stranger), of(payer), of(till)}, append(append(words(64), huge...), words(1, 5)...), nil},
		"batch of huge length":    {[]common.Hash{batch, of(stranger), of(payer), of(till)}, append(words(64, 64), append(huge, words(5)...)...), nil},
		"batch of three topics":   {[]common.Hash{batch, of(stranger), of(payer)}, words(64, 160, 2, 5, 6, 2, 7, 8), nil},
		"another of four topics":  {[]common.Hash{paid, of(stranger), of(payer), of(till)}, words(64, 160, 2, 5, 6, 2, 7, 8), nil},
		"single of three topics":  {[]common.Hash{single, of(stranger), of(payer)}, words(3, 4), nil},
		"transfer of two topics":  {[]common.Hash{transfer, of(payer)}, words(7), nil},
		"another event":           {[]common.Hash{paid, of(payer), of(till)}, words(7), nil},
		"no topics":               {nil, words(7), nil},
	} {
		root := call("CALL", shelf, 0, 0)
		root.Steps = []trace.Step{{Log: &types.Log{Address: shelf, Topics: test.topics, Data: test.data}}}
		var got []moved
		for _, m := range profile.New(&trace.Tree{Root: root}, newChain(t), nil).Movements {
			require.Equal(t, []common.Address{shelf, payer, till}, []common.Address{*m.Token, m.From, m.To}, name)
			id := int64(-1)
			if m.ID != nil {
				id = m.ID.ToInt().Int64()
			}
			got = append(got, moved{m.Amount.ToInt().Int64(), id})
		}
		require.Equal(t, test.want, got, name)
		if len(test.topics) > 0 { // ether that moved is a movement already (EIP-7708)
			root.Steps[0].Log.Address = params.SystemAddress
			require.Empty(t, profile.New(&trace.Tree{Root: root}, newChain(t), nil).Movements, name)
		}
	}
}

// Ensure the accounts that changed are by address, with what changed alone, and with the names of variables.
func TestAccounts(t *testing.T) {
	t.Parallel()
	tree := paying()
	delegation := hexutil.Bytes(types.AddressToDelegation(shelf))
	tree.StateDiff = trace.StateDiff{
		till: {
			Balance: trace.Delta[hexutil.Big]{From: (*hexutil.Big)(big.NewInt(20)), To: (*hexutil.Big)(big.NewInt(25))},
			Storage: map[common.Hash]trace.Delta[common.Hash]{word(4): {From: new(word(1))}, word(3): {From: new(word(1)), To: new(common.Hash{1})}},
		},
		payer: {Nonce: trace.Delta[hexutil.Uint64]{To: new(hexutil.Uint64(1))}, Code: trace.Delta[hexutil.Bytes]{To: &delegation}},
	}
	p := profile.New(tree, newChain(t), known(t))
	require.Len(t, p.Accounts, 2)
	first, second := p.Accounts[0], p.Accounts[1]
	require.Equal(t, profile.Account{
		Address: payer, Code: profile.Code{Delegate: &shelf}, Nonce: &profile.Values[hexutil.Uint64]{To: 1}, CodeChanged: true,
	}, first)
	require.Equal(t, till, second.Address)
	require.Equal(t, "Till", second.Contract)
	require.Equal(t, []int64{20, 25}, []int64{second.Balance.From.ToInt().Int64(), second.Balance.To.ToInt().Int64()})
	require.Nil(t, second.Nonce)
	require.False(t, second.CodeChanged)
	require.Equal(t, []profile.Slot{
		{Slot: word(3), Name: "last", Values: profile.Values[common.Hash]{From: word(1), To: common.Hash{1}}},
		{Slot: word(4), Name: "slot 4", Values: profile.Values[common.Hash]{From: word(1)}},
	}, second.Storage)

	text := p.String()
	require.True(t, strings.HasPrefix(text, "transaction 0xab00000000000000000000000000000000000000000000000000000000000000: 80000 gas\n\n"), text)
	require.Contains(t, text, `
  calls    gas  with calls below
      1  32000             32000  `+common.Address{0xff}.Hex()+`.constructor
      1  16200             60000  Till.pay(uint256)
`)
	require.Contains(t, text, `
         21000                    before any code
         -1000                    refunded
`)
	require.Contains(t, text, "\nmovements\n  9 wei  "+payer.Hex()+" -> "+till.Hex()+"\n")
	_, changes, _ := strings.Cut(text, "\nchanges\n")
	require.Equal(t, "  "+payer.Hex()+" as "+shelf.Hex()+`
    nonce  0 -> 1
    code  changed
  Till `+till.Hex()+`
    balance  20 -> 25 wei (+5)
    last  1 -> 0x0100000000000000000000000000000000000000000000000000000000000000
    slot 4  1 -> 0
`, changes)
}

// Ensure the calls are a tree with names, lines of console.log, events, results and errors.
func TestTrace(t *testing.T) {
	t.Parallel()
	p := profile.New(paying(), newChain(t), known(t))
	require.Equal(t, `[60000] Till.pay(amount: 5) {9 wei}
  ├─ console.log: 42
  ├─ [3000] ecrecover.0x [STATICCALL]
  │   └─ ← `+`
  ├─ [2000] `+stranger.Hex()+`.0x {1 wei}
  │   └─ ← `+`
  ├─ [1000] `+stranger.Hex()+`.0x
  │   └─ ← `+`
  ├─ [700] `+shelf.Hex()+`.0x`+strings.Repeat("ee", 68)+`… [DELEGATECALL] {9 wei}
  │   └─ ← `+`
  ├─ emit Till.Paid(amount: 7)
  ├─ emit `+shelf.Hex()+`.`+word(1).Hex()+` 0x02
  ├─ [32000] new `+common.Address{0xff}.Hex()+` [CREATE2] {3 wei}
  │   └─ ← `+common.Address{0xff}.Hex()+`
  ├─ [5000] `+shelf.Hex()+`.0x0102030405 {2 wei}
  │   ├─ [10] `+stranger.Hex()+`.0x {1 wei}
  │   │   └─ ← `+`
  │   └─ ← out of gas
  └─ ← 7
`, p.Trace())
}

// Ensure a call that failed says why: by the error that the contract declares, by a reason, or in hex.
func TestErrors(t *testing.T) {
	t.Parallel()
	reason := append(common.FromHex("0x08c379a0"), word(32).Bytes()...)
	reason = append(append(reason, word(5).Bytes()...), common.RightPadBytes([]byte("no gas"), 32)...)
	shut := append(crypto.Keccak256([]byte("Shut(uint256)"))[:4], word(3).Bytes()...)
	for want, output := range map[string][]byte{
		"execution reverted":                 nil,
		"execution reverted: no ga":          reason,
		"execution reverted: Shut(until: 3)": shut,
		"execution reverted: 0x0102":         {1, 2},
	} {
		root := running(call("CALL", till, 5, 0), tillCode)
		root.Err, root.Output = vm.ErrExecutionReverted, output
		p := profile.New(&trace.Tree{Root: root, GasUsed: 5}, newChain(t), known(t))
		require.Equal(t, want, p.Error)
		require.True(t, strings.HasPrefix(p.String(), "call: 5 gas, failed: "+want+"\n"))
	}
}

// Ensure an account that runs the code of another is shown with it.
func TestDelegatedCall(t *testing.T) {
	t.Parallel()
	root := running(call("CALL", payer, 5, 0), tillCode)
	root.Delegate, root.Input = &shelf, pay
	p := profile.New(&trace.Tree{Root: root}, newChain(t), known(t))
	require.Equal(t, profile.Code{Contract: "Till", Delegate: &shelf}, p.Calls.Code)
	require.Contains(t, p.Trace(), payer.Hex()+" as Till.")
}
