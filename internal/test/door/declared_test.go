package door_test

import (
	"log/slog"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// tillABI is the interface of a contract that reverts with its call data if they are longer than a selector, and else
// logs Paid(1).
const tillABI = `[{"type":"error","name":"Short","inputs":[{"name":"missing","type":"uint256"}]},
	{"type":"function","name":"pay","inputs":[],"outputs":[]},
	{"type":"event","name":"Paid","inputs":[{"name":"amount","type":"uint256"}]}]`

// tillArtifact returns the deployed code of the contract, and its artifact as Foundry writes it.
func tillArtifact() (code []byte, artifact string) {
	paid := crypto.Keccak256Hash([]byte("Paid(uint256)"))
	logs := append(common.FromHex("60015f527f"), paid[:]...)
	logs = append(logs, common.FromHex("60205fa100")...)
	reverts := common.FromHex("5b365f5f37365ffd")
	code = append(common.FromHex("60043611"+"60"), byte(7+len(logs)), 0x57) // jumps if the data have more than 4 bytes
	code = append(append(code, logs...), reverts...)
	return code, `{"abi":` + tillABI + `,"bytecode":{"object":"0x00"},"deployedBytecode":{"object":"` + hexutil.Encode(code) + `"}}`
}

// Ensure errors that contracts declare are reasons where their artifacts are given: in Go's errors, in answers under
// the Geth profile, and in the log, which has calls and events by name.
func TestArtifacts(t *testing.T) {
	t.Parallel()
	code, artifact := tillArtifact()
	folder := artifacts(t, map[string]string{"out/Till.sol/Till.json": artifact})
	short := append(crypto.Keccak256([]byte("Short(uint256)"))[:4], common.BigToHash(big.NewInt(7)).Bytes()...)
	till := common.HexToAddress("0x7111")
	var log lines
	node := fakenode.RunConfigT(t, fakenode.Config{Artifacts: []string{folder}, Compat: fakenode.Geth, Logger: slog.New(slog.NewJSONHandler(&log, nil))})
	node.SetCode(till, code)

	_, err := node.Transact(node.Account(0), fakenode.Tx{To: &till, Data: short})
	require.ErrorContains(t, err, "execution reverted: Short(missing: 7)")
	failing, err := node.Transact(node.Account(0), fakenode.Tx{To: &till, Data: short, Gas: 100_000})
	require.NoError(t, err)
	paying, err := node.Transact(node.Account(0), fakenode.Tx{To: &till, Data: crypto.Keccak256([]byte("pay()"))[:4]})
	require.NoError(t, err)
	node.Seal()
	reason, err := node.RevertReason(failing)
	require.NoError(t, err)
	require.Equal(t, "Short(missing: 7)", reason)

	call := map[string]any{"to": till, "data": hexutil.Bytes(short)}
	client := node.Client().Client()
	for _, method := range []string{"eth_call", "eth_estimateGas"} {
		require.EqualError(t, client.Call(nil, method, call), "execution reverted: Short(missing: 7)")
	}
	var simulated []struct {
		Calls []struct{ Error struct{ Message string } }
	}
	require.NoError(t, client.Call(&simulated, "eth_simulateV1", map[string]any{"blockStateCalls": []any{map[string]any{"calls": []any{call}}}}, "latest"))
	require.Equal(t, "execution reverted: Short(missing: 7)", simulated[0].Calls[0].Error.Message)

	world, err := node.NewWorld(fakenode.WorldOptions{})
	require.NoError(t, err)
	require.EqualError(t, world.Client().Client().Call(nil, "eth_call", call), "execution reverted: Short(missing: 7)")
	require.EqualError(t, node.CloneT(t).Client().Client().Call(nil, "eth_call", call), "execution reverted: Short(missing: 7)")

	require.NoError(t, node.Close())
	lines := log.about(t, "transaction")
	require.Len(t, lines, 2)
	require.Equal(t, failing.Hex(), lines[0]["hash"])
	require.Equal(t, "execution reverted: Short(missing: 7)", lines[0]["err"])
	require.Equal(t, paying.Hex(), lines[1]["hash"])
	require.Equal(t, "Till", lines[1]["contract"])
	require.Equal(t, "pay()", lines[1]["call"])
	require.Equal(t, []any{"Paid(amount: 1)"}, lines[1]["events"])
}

// Ensure the answers of the other development nodes name declared errors in their words.
func TestArtifactsUnderPresets(t *testing.T) {
	t.Parallel()
	code, artifact := tillArtifact()
	folder := artifacts(t, map[string]string{"artifacts/contracts/Till.sol/Till.json": artifact})
	short := append(crypto.Keccak256([]byte("Short(uint256)"))[:4], common.BigToHash(big.NewInt(7)).Bytes()...)
	till := common.HexToAddress("0x7111")
	for preset, want := range map[fakenode.Preset]string{
		fakenode.Anvil:   "execution reverted: Short(missing: 7)",
		fakenode.Hardhat: "Error: VM Exception while processing transaction: reverted with custom error 'Short(missing: 7)'",
	} {
		node := fakenode.RunConfigT(t, fakenode.Config{Artifacts: []string{folder}, Preset: preset})
		node.SetCode(till, code)
		require.EqualError(t, node.Client().Client().Call(nil, "eth_call", map[string]any{"to": till, "data": hexutil.Bytes(short)}), want)
	}
}

// Ensure a node with a bad artifact does not start, and names it.
func TestArtifactsRefusals(t *testing.T) {
	t.Parallel()
	folder := artifacts(t, map[string]string{"out/Till.sol/Till.json": `{"abi":`})
	_, err := fakenode.New(fakenode.Config{Artifacts: []string{folder}})
	require.ErrorContains(t, err, "artifacts: "+folder)
	require.ErrorContains(t, err, "Till.json: unexpected end of JSON input")
}

// Ensure artifacts of a kept node count after a restart, too.
func TestArtifactsOfAKeptNode(t *testing.T) {
	t.Parallel()
	code, artifact := tillArtifact()
	folder := artifacts(t, map[string]string{"out/Till.sol/Till.json": artifact})
	short := append(crypto.Keccak256([]byte("Short(uint256)"))[:4], common.BigToHash(big.NewInt(7)).Bytes()...)
	till := common.HexToAddress("0x7111")
	config := fakenode.Config{Artifacts: []string{folder}, State: t.TempDir(), Alloc: types.GenesisAlloc{till: {Code: code, Balance: new(big.Int)}}}
	for range 2 {
		node, err := fakenode.New(config)
		require.NoError(t, err)
		_, err = node.Transact(node.Account(0), fakenode.Tx{To: &till, Data: short})
		require.ErrorContains(t, err, "Short(missing: 7)")
		require.NoError(t, node.Close())
	}
}
