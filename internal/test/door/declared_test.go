package door_test

import (
	"log/slog"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/tokencontract"
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

// till is where the tests put the contract, and short the data by which it reverts with Short(7).
var (
	till  = common.HexToAddress("0x7111")
	short = append(crypto.Keccak256([]byte("Short(uint256)"))[:4], common.BigToHash(big.NewInt(7)).Bytes()...)
)

// Ensure errors that contracts declare are reasons where their artifacts are given: in Go's errors, in answers under
// the Geth profile, and in the log, which has calls and events by name.
func TestArtifacts(t *testing.T) {
	t.Parallel()
	code, artifact := tillArtifact()
	folder := artifacts(t, map[string]string{"out/Till.sol/Till.json": artifact})
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
	var simulated []struct {
		Calls []struct{ Error struct{ Message string } }
	}
	require.NoError(t, node.Client().Client().Call(&simulated, "eth_simulateV1", map[string]any{"blockStateCalls": []any{map[string]any{"calls": []any{call}}}}, "latest"))
	require.Equal(t, "execution reverted: Short(missing: 7)", simulated[0].Calls[0].Error.Message)

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
	config := fakenode.Config{Artifacts: []string{folder}, State: t.TempDir(), Alloc: types.GenesisAlloc{till: {Code: code, Balance: new(big.Int)}}}
	for range 2 {
		node, err := fakenode.New(config)
		require.NoError(t, err)
		_, err = node.Transact(node.Account(0), fakenode.Tx{To: &till, Data: short})
		require.ErrorContains(t, err, "Short(missing: 7)")
		require.NoError(t, node.Close())
	}
}

// Ensure the client in the test's process reads why a call reverts, errors of artifacts included, while one that dials
// reads the contract's words, or with Geth the reason, too.
func TestReasonsForTests(t *testing.T) {
	t.Parallel()
	code, artifact := tillArtifact()
	folder := artifacts(t, map[string]string{"out/Till.sol/Till.json": artifact})
	for _, profile := range []fakenode.Profile{fakenode.Spec, fakenode.Geth} {
		node := fakenode.RunConfigT(t, fakenode.Config{Artifacts: []string{folder}, Compat: profile})
		token := node.Token().Address()
		node.SetCode(till, code)
		transfer, err := tokencontract.ABI().Pack("transfer", node.Account(1).Address, big.NewInt(2e12))
		require.NoError(t, err)
		world, err := node.NewWorld(fakenode.WorldOptions{})
		require.NoError(t, err)
		for want, message := range map[string]ethereum.CallMsg{
			"execution reverted: ERC20: transfer amount exceeds balance": {From: node.Account(0).Address, To: &token, Data: transfer},
			"execution reverted: Short(missing: 7)":                      {To: &till, Data: short},
			"execution reverted":                                         {To: &till, Data: []byte("no error")},
		} {
			requireReason := func(client *ethclient.Client, want string) {
				_, err := client.CallContract(t.Context(), message, nil)
				require.EqualError(t, err, want)
				var withData rpc.DataError
				require.ErrorAs(t, err, &withData)
				require.NotEmpty(t, withData.ErrorData())
				_, err = client.EstimateGas(t.Context(), message)
				require.EqualError(t, err, want)
			}
			requireReason(node.Client(), want)
			requireReason(world.Client(), want)
			dialed, err := ethclient.Dial(node.URL())
			require.NoError(t, err)
			t.Cleanup(dialed.Close)
			if profile == fakenode.Spec { // contract 7-revert
				want = "execution reverted"
			}
			requireReason(dialed, want)
		}
	}
}
