package door_test

import (
	"bytes"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
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

// Ensure a profile of a call and of a transaction have the names of artifacts, also of variables, and are text.
func TestProfileNames(t *testing.T) {
	t.Parallel()
	// It stores the value in slot 3, logs to the console, pays 1 wei to its caller, and returns what is in memory.
	code := common.FromHex("346003555f5f5f5f6a636f6e736f6c652e6c6f675afa505f5f5f5f6001335af15060205ff3")
	folder := artifacts(t, map[string]string{"out/Till.sol/Till.json": `{"abi":[
		{"type":"function","name":"pay","inputs":[],"outputs":[{"name":"","type":"uint256"}]}
		],"bytecode":{"object":"0x00"},"deployedBytecode":{"object":"` + hexutil.Encode(code) + `"},
		"storageLayout":{"storage":[{"label":"last","slot":"3","offset":0}]}}`})
	node := fakenode.RunConfigT(t, fakenode.Config{Artifacts: []string{folder}})
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
	for _, want := range []string{"] Till.pay() {9 wei}\n", "├─ console.log: 0x\n", "└─ ← 0\n"} {
		require.Contains(t, p.Trace(), want)
	}
	for _, want := range []string{"Till.pay()", "before any code", "9 wei  " + payer.Address.Hex() + " -> " + till.Hex(), "last  0 -> 9", "nonce  0 -> 1", "balance  0 -> 8 wei (+8)"} {
		require.Contains(t, p.String(), want)
	}
}
