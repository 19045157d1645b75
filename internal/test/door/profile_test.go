package door_test

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
)

// requireSum checks that the gas of a profile adds up to the receipt's.
func requireSum(t *testing.T, p *fakenode.CallProfile, receipt *types.Receipt, name string) {
	t.Helper()
	sum := p.IntrinsicGas + p.FloorGas - p.RefundedGas
	for _, f := range p.Functions {
		sum += f.Gas
	}
	require.Equal(t, receipt.GasUsed, sum, name)
	require.Equal(t, receipt.GasUsed, p.GasUsed, name)
	require.Equal(t, receipt.Status == types.ReceiptStatusFailed, p.Error != "", name)
}

// Ensure the gas of a profile equals the receipt's, split as the EVM charged it: before any code, by each contract's
// own code, what was refunded, and what data cost at least.
func TestProfileGas(t *testing.T) {
	t.Parallel()
	outer, inner := common.HexToAddress("0xa00"), common.HexToAddress("0xb00")
	call := func(value byte) []byte { // of inner, with all gas, then stores 1 in slot 0
		code := append(common.FromHex("5f5f5f5f60"), value)
		code = append(append(code, 0x73), inner[:]...)
		return append(code, common.FromHex("5af15060015f5500")...)
	}
	for name, test := range map[string]struct {
		outer, inner  []byte
		tx            fakenode.Tx
		intrinsic     uint64
		refund, floor uint64
		functions     int
		failed        string
	}{
		"transfer": {tx: fakenode.Tx{To: &inner, Gas: 21_000}, intrinsic: 21_000, functions: 1},
		"nested":   {outer: call(0), inner: common.FromHex("600160015500"), tx: fakenode.Tx{To: &outer, Gas: 200_000}, intrinsic: 21_000, functions: 2},
		"stipend":  {outer: call(1), inner: common.FromHex("5f5f5f5f5fa000"), tx: fakenode.Tx{To: &outer, Gas: 200_000, Value: uint256.NewInt(1)}, intrinsic: 21_000, functions: 2},
		"refund":   {outer: common.FromHex("60015f555f5f5500"), tx: fakenode.Tx{To: &outer, Gas: 200_000}, intrinsic: 21_000, refund: 8_641, functions: 1},
		"revert":   {outer: call(0), inner: common.FromHex("5f5ffd"), tx: fakenode.Tx{To: &outer, Gas: 200_000}, intrinsic: 21_000, functions: 2},
		"fails":    {outer: common.FromHex("fe"), tx: fakenode.Tx{To: &outer, Gas: 100_000}, intrinsic: 21_000, functions: 1, failed: "invalid opcode: INVALID"},
		"creation": {tx: fakenode.Tx{Data: common.FromHex("60015ff3"), Gas: 200_000}, intrinsic: 53_000 + 4*16 + 2, functions: 1},
		"data":     {tx: fakenode.Tx{To: &inner, Data: bytes.Repeat([]byte{1}, 100), Gas: 200_000}, intrinsic: 21_000 + 100*16, floor: 100 * 24, functions: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunT(t)
			node.SetCode(outer, test.outer)
			node.SetCode(inner, test.inner)
			hash, err := node.Transact(node.Account(0), test.tx)
			require.NoError(t, err)
			check := func() {
				receipt, err := node.Receipt(t.Context(), hash)
				require.NoError(t, err)
				p, err := node.Profile(hash)
				require.NoError(t, err)
				requireSum(t, p, receipt, name)
				require.Equal(t, test.intrinsic, p.IntrinsicGas)
				require.Equal(t, test.floor, p.FloorGas)
				require.Equal(t, test.refund, p.RefundedGas)
				require.Len(t, p.Functions, test.functions)
				require.Equal(t, test.failed, p.Error)
			}
			node.Preconfirm()
			check()
			node.Seal()
			check()
		})
	}
}

// Ensure profiles add up to the receipts under every hard fork that has them, for transactions of a whole payment.
func TestProfileOfEveryHardfork(t *testing.T) {
	t.Parallel()
	runs := false
	for _, fork := range fakenode.Hardforks() {
		runs = runs || fork == "istanbul"
		if !runs {
			continue
		}
		node := fakenode.RunConfigT(t, fakenode.Config{Hardfork: fork})
		payer, merchant := node.Account(0), node.Account(1)
		auth := fixtures.Authorization(payer, merchant, fixtures.USD("25.00"), node.Now())
		capture := fixtures.Sign(payer, node.Token().Domain(), auth).Capture()
		var hashes []common.Hash
		for range 2 { // the second fails
			hash, err := node.Transact(merchant, fakenode.Tx{To: new(node.Token().Address()), Data: capture, Gas: 1_000_000})
			require.NoError(t, err)
			hashes = append(hashes, hash)
		}
		creation, err := node.Transact(payer, fakenode.Tx{Data: common.FromHex("6001600055600160005260206000f3"), Gas: 1_000_000, Value: uint256.NewInt(5)})
		require.NoError(t, err)
		node.Seal()
		for _, hash := range append(hashes, creation) {
			receipt, err := node.Receipt(t.Context(), hash)
			require.NoError(t, err)
			p, err := node.Profile(hash)
			require.NoError(t, err)
			requireSum(t, p, receipt, fork)
			require.Zero(t, p.RefundedGas, fork)
		}
		p, err := node.Profile(hashes[0])
		require.NoError(t, err)
		require.Len(t, p.Movements, 1, fork)
		require.Equal(t, node.Token().Address(), *p.Movements[0].Token)
		require.EqualValues(t, 25_000_000, p.Movements[0].Amount.ToInt().Int64())
		p, err = node.Profile(hashes[1])
		require.NoError(t, err)
		require.Contains(t, p.Error, "execution reverted: FiatTokenV2: authorization is used or canceled", fork)
		require.Empty(t, p.Movements)
	}
}

// Ensure a profile of a call and of a transaction have names where artifacts are, also those of variables and of the
// keys of mappings, and show movements, lines of console.log and changes; as JSON and as text.
func TestProfileNames(t *testing.T) {
	t.Parallel()
	// It stores its caller's value in slot 3, and in the mapping of slot 4 by its caller, logs to the console, pays 1 wei
	// to its caller, and logs Paid(7).
	paid := crypto.Keccak256Hash([]byte("Paid(uint256)"))
	code := common.FromHex("34600355335f52600460205234" + "60405f20" + "55")
	code = append(code, common.FromHex("5f5f5f5f6a636f6e736f6c652e6c6f675afa50")...) // console
	code = append(code, common.FromHex("5f5f5f5f6001335af150")...)
	code = append(append(append(code, common.FromHex("60075f527f")...), paid[:]...), common.FromHex("60205fa160205ff3")...)
	folder := artifacts(t, map[string]string{"out/Till.sol/Till.json": `{"abi":[
		{"type":"function","name":"pay","inputs":[],"outputs":[{"name":"","type":"uint256"}]},
		{"type":"event","name":"Paid","inputs":[{"name":"amount","type":"uint256"}]}
		],"bytecode":{"object":"0x00"},"deployedBytecode":{"object":"` + hexutil.Encode(code) + `"},
		"storageLayout":{"storage":[{"label":"last","slot":"3","offset":0},{"label":"sums","slot":"4","offset":0}]}}`})
	node := fakenode.RunConfigT(t, fakenode.Config{Artifacts: []string{folder}})
	till := common.HexToAddress("0x7111")
	node.SetCode(till, code)
	payer := node.Account(0)
	tx := fakenode.Tx{To: &till, Data: crypto.Keccak256([]byte("pay()"))[:4], Value: uint256.NewInt(9)}
	called, err := node.ProfileCall(payer.Address, tx)
	require.NoError(t, err)
	require.Nil(t, called.Transaction)
	hash, err := node.Transact(payer, tx)
	require.NoError(t, err)
	node.Seal()
	p, err := node.Profile(hash)
	require.NoError(t, err)

	require.Equal(t, called.Trace(), p.Trace())
	require.Equal(t, "Till", p.Calls.Contract)
	require.Equal(t, "pay()", p.Calls.Text)
	require.Equal(t, "7", p.Calls.Result)
	require.Equal(t, "0x", p.Calls.Steps[0].Console)
	require.Equal(t, "Paid(amount: 7)", p.Calls.Steps[2].Event.Text)
	require.Equal(t, "pay()", p.Functions[0].Function)
	require.Len(t, p.Movements, 2)
	require.Equal(t, big.NewInt(1), p.Movements[1].Amount.ToInt())
	require.Equal(t, payer.Address, p.Movements[1].To)
	names := map[string]string{}
	for _, account := range p.Accounts {
		for _, slot := range account.Storage {
			names[slot.Name] = slot.To.Big().String()
		}
	}
	require.Equal(t, map[string]string{"last": "9", "sums[" + payer.Address.Hex() + "]": "9"}, names)
	text := p.String()
	for _, want := range []string{"Till.pay()", "before any code", "9 wei  " + payer.Address.Hex() + " -> " + till.Hex(), "last  0 -> 9", "nonce  0 -> 1", "balance  0 -> 8 wei (+8)"} {
		require.Contains(t, text, want)
	}
	for _, want := range []string{"] Till.pay() {9 wei}\n", "├─ console.log: 0x\n", "├─ emit Till.Paid(amount: 7)\n", "└─ ← 7\n"} {
		require.Contains(t, p.Trace(), want)
	}

	var served, call struct {
		Transaction *common.Hash
		GasUsed     uint64
		Functions   []struct{ Contract, Function string }
		Accounts    []struct{ Storage []struct{ Name, To string } }
	}
	client := node.Client().Client()
	require.NoError(t, client.Call(&served, "fakenode_profile", hash))
	require.Equal(t, p.GasUsed, served.GasUsed)
	require.Equal(t, "Till", served.Functions[0].Contract)
	require.NoError(t, client.Call(&call, "fakenode_profile", map[string]any{"from": payer.Address, "to": till, "data": "0x1b9265b8", "value": "0x9"}, "latest"))
	require.Nil(t, call.Transaction)
	require.ErrorContains(t, client.Call(nil, "fakenode_profile", common.Hash{1}), "transaction not found")
	require.ErrorContains(t, client.Call(nil, "fakenode_profile", hash, "latest"), "is for a call")
	require.ErrorContains(t, client.Call(nil, "fakenode_profile", 7), "want the hash of a transaction, or a call object")
}
