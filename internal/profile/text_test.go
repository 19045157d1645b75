package profile_test

import (
	"bytes"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/internal/profile"
)

// Ensure a profile of little has only what there is, to the byte.
func TestShortText(t *testing.T) {
	t.Parallel()
	p := profile.New(&trace.Tree{Root: call("CALL", stranger, 10, 0), GasUsed: 21_010, Intrinsic: 21_000}, newChain(t), nil)
	require.Equal(t, `call: 21010 gas

  calls    gas  with calls below
      1     10                10  `+stranger.Hex()+`.transfer
         21000                    before any code
`, p.String())
	require.Equal(t, "[10] "+stranger.Hex()+".0x\n  └─ ← \n", p.Trace())
	p = profile.New(&trace.Tree{Root: call("CALL", stranger, 10, 0), GasUsed: 30_000, Intrinsic: 21_000}, newChain(t), nil)
	require.Contains(t, p.String(), "          8990                    more, as the data cost at least so much\n")
	require.NotContains(t, p.String(), "refunded")
}

// Ensure amounts say of which token they are, and which id.
func TestAmounts(t *testing.T) {
	t.Parallel()
	of := func(contract string, token *common.Address, id int64) profile.Movement {
		m := profile.Movement{Token: token, Contract: contract, From: payer, To: till, Amount: (*hexutil.Big)(big.NewInt(4))}
		if id > 0 {
			m.ID = (*hexutil.Big)(big.NewInt(id))
		}
		return m
	}
	p := profile.Profile{Movements: []profile.Movement{of("", nil, 0), of("", &shelf, 0), of("Coin", &shelf, 0), of("Art", &shelf, 8), of("", &shelf, 9)}}
	_, text, _ := strings.Cut(p.String(), "\nmovements\n")
	ends := "  " + payer.Hex() + " -> " + till.Hex() + "\n"
	require.Equal(t, "  4 wei"+ends+"  4 of "+shelf.Hex()+ends+"  4 of Coin"+ends+"  4 of id 8 of Art"+ends+"  4 of id 9 of "+shelf.Hex()+ends, text)
}

// Ensure words of up to 96 bits are numbers and others hex, balances have their difference, and an account without
// changes is named all the same.
func TestChanges(t *testing.T) {
	t.Parallel()
	least := new(big.Int).Lsh(big.NewInt(1), 96)
	most := new(big.Int).Sub(least, big.NewInt(1))
	wei := func(n int64) hexutil.Big { return hexutil.Big(*big.NewInt(n)) }
	p := profile.Profile{Accounts: []profile.Account{
		{Address: till, Code: profile.Code{Contract: "Till", Delegate: &shelf}, Balance: &profile.Values[hexutil.Big]{From: wei(7), To: wei(5)}},
		{Address: stranger, Storage: []profile.Slot{{Name: "a", Values: profile.Values[common.Hash]{From: common.BigToHash(most), To: common.BigToHash(least)}}}},
	}}
	_, text, _ := strings.Cut(p.String(), "\nchanges\n")
	require.Equal(t, "  "+till.Hex()+" as Till\n    balance  7 -> 5 wei (-2)\n  "+stranger.Hex()+`
    a  79228162514264337593543950335 -> 0x0000000000000000000000000000000000000001000000000000000000000000
`, text)
}

// Ensure results and data of a byte or as many as are shown are whole, and longer ones cut.
func TestExcerpts(t *testing.T) {
	t.Parallel()
	for size, want := range map[int]string{0: "", 1: "0x05", 68: "0x" + strings.Repeat("05", 68), 69: "0x" + strings.Repeat("05", 68) + "…"} {
		root := running(call("CALL", shelf, 5, 0), unknownCode)
		root.Output, root.Input = bytes.Repeat([]byte{5}, size), bytes.Repeat([]byte{5}, size)
		p := profile.New(&trace.Tree{Root: root}, newChain(t), nil)
		require.Equal(t, want, p.Calls.Result)
		require.Equal(t, "0x"+strings.TrimPrefix(want, "0x"), p.Calls.Text)
		if size > 0 {
			require.Equal(t, "0x"+strings.Repeat("05", min(size, 4)), p.Functions[0].Function)
		}
	}
	created := running(call("CREATE", shelf, 5, 0), unknownCode)
	created.Output = []byte{1}
	p := profile.New(&trace.Tree{Root: created}, newChain(t), nil)
	require.Empty(t, p.Calls.Result, "the code")
	require.Equal(t, "new "+shelf.Hex(), strings.Split(p.Trace(), "\n")[0][len("[5] "):])
	gone := profile.New(&trace.Tree{Root: call("SELFDESTRUCT", shelf, 5, 3)}, newChain(t), nil)
	require.Equal(t, "[5] "+shelf.Hex()+".selfdestruct [SELFDESTRUCT] {3 wei}\n  └─ ← \n", gone.Trace())
	require.Equal(t, (*hexutil.Big)(big.NewInt(3)), gone.Calls.Value)
	require.Nil(t, p.Calls.Value)
}

// Ensure the precompiled contracts have their names, and their neighbours none.
func TestPrecompiles(t *testing.T) {
	t.Parallel()
	names := []string{
		"", "ecrecover", "sha256", "ripemd160", "identity", "modexp", "ecAdd", "ecMul", "ecPairing", "blake2f", "pointEvaluation",
		"blsG1Add", "blsG1MSM", "blsG2Add", "blsG2MSM", "blsPairing", "blsMapToG1", "blsMapToG2", "",
	}
	for at := range uint64(0x102) {
		want := ""
		switch {
		case at < uint64(len(names)):
			want = names[at]
		case at == 0x100:
			want = "p256Verify"
		}
		contract, function := profile.Named(call("CALL", common.BigToAddress(new(big.Int).SetUint64(at)), 0, 0), nil)
		require.Equal(t, want, contract)
		require.Equal(t, want != "", function == "precompile", at)
	}
	contract, function := profile.Named(&trace.Branch{Op: "CALL", To: till, Code: tillCode, CodeHash: crypto.Keccak256Hash(tillCode), Input: pay}, known(t))
	require.Equal(t, []string{"Till", "pay(uint256)"}, []string{contract, function})
}

// Ensure functions with equal gas are in the order of their first calls, and calls of one are counted together.
func TestOrderOfFunctions(t *testing.T) {
	t.Parallel()
	root := running(call("CALL", till, 30, 0), tillCode)
	logs := call("STATICCALL", chain.ConsoleAddress, 0, 0)
	for _, to := range []common.Address{{3}, {1}, {2}, {1}} {
		root.Steps = append(root.Steps, trace.Step{Branch: running(call("CALL", to, 5, 0), unknownCode)})
	}
	root.Steps = append(root.Steps, trace.Step{Branch: logs})
	p := profile.New(&trace.Tree{Root: root}, newChain(t), nil)
	var order []common.Address
	for _, f := range p.Functions {
		order = append(order, f.Address)
	}
	require.Equal(t, []common.Address{till, {1}, {3}, {2}, chain.ConsoleAddress}, order)
	require.Equal(t, []uint64{10, 5, 5}, []uint64{p.Functions[1].Gas, p.Functions[2].Gas, p.Functions[3].Gas})
	require.Equal(t, 2, p.Functions[1].Calls)
}
