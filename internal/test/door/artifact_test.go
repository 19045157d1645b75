package door_test

import (
	"log/slog"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/contracts/permit2"
	"github.com/fakenode/fakenode/internal/assembly"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/internal/contracts/predeploys"
	"github.com/fakenode/fakenode/tokencontract"
)

// Code of artifacts: a contract whose code is its argument, one whose code is the address of a library, and that
// library.
const (
	echoCode     = "6020601c5f3960205ff3" + "000000000000000000000000000000000000"
	linkedCode   = "73__$4a1c0a1c0a1c0a1c0a1c0a1c0a1c0a1c0a$__5f5260205ff3"
	libraryCode  = "60015ff3"
	echoABI      = `[{"type":"constructor","inputs":[{"name":"value","type":"uint64"}],"stateMutability":"nonpayable"}]`
	foundryLinks = `{"src/Maths.sol":{"Maths":[{"start":1,"length":20}]}}`
	hardhatLinks = `{"contracts/lib/Maths.sol":{"Maths":[{"start":1,"length":20}]}}`
)

// artifacts writes files below a new folder and returns it.
func artifacts(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, content := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	}
	return folder
}

// Ensure artifacts of Foundry and Hardhat are deployed in one call, with arguments of Go's usual types and with the
// libraries that they are to be linked with.
func TestDeployArtifact(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	folder := artifacts(t, map[string]string{
		"out/Echo.sol/Echo.json":                       `{"abi":` + echoABI + `,"bytecode":{"object":"0x` + echoCode + `","linkReferences":{}}}`,
		"out/Vault.sol/Vault.json":                     `{"abi":[],"bytecode":{"object":"0x` + linkedCode + `","linkReferences":` + foundryLinks + `}}`,
		"out/Maths.sol/Maths.json":                     `{"abi":[],"bytecode":{"object":"0x` + libraryCode + `"}}`,
		"artifacts/contracts/Vault.sol/Vault.json":     `{"sourceName":"contracts/Vault.sol","abi":[],"bytecode":"0x` + linkedCode + `","linkReferences":` + hardhatLinks + `}`,
		"artifacts/contracts/lib/Maths.sol/Maths.json": `{"sourceName":"contracts/lib/Maths.sol","abi":[],"bytecode":"0x` + libraryCode + `","linkReferences":{}}`,
	})
	codeOf := func(path string, arguments ...any) []byte {
		address, err := node.DeployArtifact(node.Account(0), filepath.Join(folder, filepath.FromSlash(path)), arguments...)
		require.NoError(t, err)
		code, err := node.Client().CodeAt(t.Context(), address, nil)
		require.NoError(t, err)
		return code
	}
	for _, argument := range []any{7, uint64(7), big.NewInt(7)} {
		require.Equal(t, common.BigToHash(big.NewInt(7)).Bytes(), codeOf("out/Echo.sol/Echo.json", argument))
	}
	for _, path := range []string{"out/Vault.sol/Vault.json", "artifacts/contracts/Vault.sol/Vault.json"} {
		library := common.BytesToAddress(codeOf(path))
		code, err := node.Client().CodeAt(t.Context(), library, nil)
		require.NoError(t, err)
		require.Equal(t, []byte{0}, code, "the library is there")
	}
}

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

// Ensure errors that contracts declare are reasons where their artifacts are given: in Go's errors, and in answers
// under the Geth profile.
func TestArtifacts(t *testing.T) {
	t.Parallel()
	code, artifact := tillArtifact()
	folder := artifacts(t, map[string]string{"out/Till.sol/Till.json": artifact})
	node := fakenode.RunConfigT(t, fakenode.Config{Artifacts: []string{folder}, Compat: fakenode.Geth})
	node.SetCode(till, code)

	_, err := node.Transact(node.Account(0), fakenode.Tx{To: &till, Data: short})
	require.ErrorContains(t, err, "execution reverted: Short(missing: 7)")
	failing, err := node.Transact(node.Account(0), fakenode.Tx{To: &till, Data: short, Gas: 100_000})
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

// Ensure every contract that a node of any kind begins with has a name, but the deployers that are no compiler's.
func TestOwnContractsHaveNames(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Base, L1: &fakenode.L1Config{}})
	nameless := []common.Address{contracts.Create2DeployerAddress, predeploys.SingletonFactoryAddress}
	names := map[string]bool{}
	check := func(n *fakenode.Network, addresses ...common.Address) {
		for _, address := range addresses {
			p, err := n.ProfileCall(node.Account(0).Address, fakenode.Tx{To: &address})
			require.NoError(t, err)
			require.Equal(t, slices.Contains(nameless, address), p.Calls.Contract == "", address)
			names[p.Calls.Contract] = true
		}
	}
	check(node.Network, slices.Collect(maps.Keys(assembly.Payments()))...)
	check(node.Network, slices.Collect(maps.Keys(contracts.Predeploys()))...)
	check(node.Network, predeploys.WETH9Address, predeploys.MessengerAddress, predeploys.StandardBridgeAddress,
		predeploys.CreateXAddress, predeploys.SingletonFactoryAddress, node.Token().Address())
	check(node.L1(), l1.Base.Portal, l1.Base.Factory, l1.Base.Registry, l1.Base.SystemConfig, l1.Base.Messenger, l1.Base.StandardBridge)
	require.Subset(t, slices.Collect(maps.Keys(names)), []string{
		"Token", "Multicall3", "Permit2", "AuthCaptureEscrow", "x402BatchSettlement", "SmartWalletFactory", "EntryPointV06", "EntryPointV09",
		"Paymaster", "Simple7702Account", "L2StandardBridge", "OptimismPortal2", "SystemConfig",
	})
}

// Ensure a payment reads as one without any artifact given: in traces, profiles, the log and Go's errors. Clients that
// dial get the contract's words.
func TestOwnNames(t *testing.T) {
	t.Parallel()
	var log lines
	var traces strings.Builder
	node := fakenode.RunConfigT(t, fakenode.Config{
		Logger: slog.New(slog.NewJSONHandler(&log, nil)), Traces: func(text string) { traces.WriteString(text) }, Compat: fakenode.Geth,
	})
	payer, merchant, token := node.Account(0), node.Account(1), node.Token().Address()
	transfer, err := tokencontract.ABI().Pack("transfer", merchant.Address, big.NewInt(5))
	require.NoError(t, err)
	paid, err := node.Transact(payer, fakenode.Tx{To: &token, Data: transfer})
	require.NoError(t, err)
	used := permit2.NewPermit2().PackInvalidateNonces(token, merchant.Address, new(big.Int))
	_, err = node.Transact(payer, fakenode.Tx{To: &permit2.Address, Data: used})
	require.ErrorContains(t, err, "execution reverted: InvalidNonce()")
	failed, err := node.Transact(payer, fakenode.Tx{To: &permit2.Address, Data: used, Gas: 100_000})
	require.NoError(t, err)
	node.Seal()

	p, err := node.Profile(paid)
	require.NoError(t, err)
	require.Equal(t, "transfer(address,uint256)", p.Functions[0].Function)
	require.Contains(t, p.String(), "5 of Token  ")
	reason, err := node.RevertReason(failed)
	require.NoError(t, err)
	require.Equal(t, "InvalidNonce()", reason)
	var served struct{ Error string }
	client := node.Client().Client()
	require.NoError(t, client.Call(&served, "fakenode_profile", failed))
	require.Equal(t, "execution reverted: InvalidNonce()", served.Error)
	require.EqualError(t, client.Call(nil, "eth_call", map[string]any{"from": payer.Address, "to": permit2.Address, "data": hexutil.Bytes(used)}), "execution reverted")

	require.NoError(t, node.Close())
	for _, want := range []string{
		"] Token.transfer(to: " + merchant.Address.Hex() + ", value: 5)\n", "├─ emit Token.Transfer(from: " + payer.Address.Hex(),
		"] Permit2.invalidateNonces(token: ", "└─ ← execution reverted: InvalidNonce()\n",
	} {
		require.Contains(t, traces.String(), want)
	}
	lines := log.about(t, "transaction")
	require.Equal(t, "Token", lines[0]["contract"])
	require.Contains(t, lines[0]["call"], "transfer(to: ")
	require.Len(t, lines[0]["events"], 1)
	require.Equal(t, "execution reverted: InvalidNonce()", lines[1]["err"])
}

// Ensure fakenode_transaction names a transaction's call and, once it is executed, its events, and nothing of unknown
// contracts.
func TestTransactionByName(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	type named struct {
		Contract, Call string
		Events         []struct {
			LogIndex       int
			Contract, Text string
		}
	}
	at := func(hash common.Hash) (n named) {
		require.NoError(t, node.Client().Client().Call(&n, "fakenode_transaction", hash))
		return n
	}
	payer, merchant, token := node.Account(0), node.Account(1), node.Token().Address()
	transfer, err := tokencontract.ABI().Pack("transfer", merchant.Address, big.NewInt(5))
	require.NoError(t, err)
	hash, err := node.Transact(payer, fakenode.Tx{To: &token, Data: transfer})
	require.NoError(t, err)
	call := "transfer(to: " + merchant.Address.Hex() + ", value: 5)"
	require.Equal(t, named{Contract: "DocumentedFlowToken", Call: call}, at(hash))

	node.Preconfirm()
	for range 2 { // pre-confirmed, then sealed
		paid := at(hash)
		require.Equal(t, "DocumentedFlowToken", paid.Contract)
		require.Equal(t, call, paid.Call)
		require.Len(t, paid.Events, 1)
		require.Equal(t, "DocumentedFlowToken", paid.Events[0].Contract)
		require.Equal(t, "Transfer(from: "+payer.Address.Hex()+", to: "+merchant.Address.Hex()+", value: 5)", paid.Events[0].Text)
		node.Seal()
	}

	unknown, err := node.Transact(payer, fakenode.Tx{To: &merchant.Address, Data: []byte{1, 2, 3, 4}})
	require.NoError(t, err)
	node.Seal()
	require.Equal(t, named{}, at(unknown))
}
