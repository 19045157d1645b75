package integration_test

import (
	"bytes"
	"log/slog"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// compiledArtifacts is the folder of contracts on top of OpenZeppelin's and Solady's, in out/ as Foundry writes them
// and in artifacts/ as Hardhat does. Git ignores it. They are made once per process.
const compiledArtifacts = "../dist/artifacts-test"

var compiledOnce = sync.OnceValue(func() error {
	if err := installPackages(scripts); err != nil {
		return err
	}
	folder, err := filepath.Abs(compiledArtifacts)
	if err != nil {
		return err
	}
	command := exec.Command("node", "artifacts.mjs", folder)
	command.Dir = scripts
	return command.Run()
})

// openZeppelin is the folder of artifacts in OpenZeppelin's own package.
const openZeppelin = scripts + "/node_modules/@openzeppelin/contracts/build/contracts"

// called returns a call of a function with arguments.
func called(t *testing.T, signature string, values ...any) []byte {
	t.Helper()
	name, kinds, _ := strings.Cut(strings.TrimSuffix(signature, ")"), "(")
	var arguments abi.Arguments
	for kind := range strings.SplitSeq(kinds, ",") {
		if kind == "" {
			continue
		}
		parsed, err := abi.NewType(kind, "", nil)
		require.NoError(t, err)
		arguments = append(arguments, abi.Argument{Type: parsed})
	}
	data, err := arguments.Pack(values...)
	require.NoError(t, err, name)
	return append(crypto.Keccak256([]byte(signature))[:4], data...)
}

// Ensure errors, calls and events of OpenZeppelin's own artifacts, and of contracts on top of theirs and Solady's, are
// shown by name, whichever tool wrote the artifacts, also where a contract has immutables or is linked with a library.
func TestArtifactsOfLibraries(t *testing.T) {
	t.Parallel()
	requireNode(t)
	require.NoError(t, compiledOnce())
	for tool, folders := range map[string]struct{ root, source, library string }{
		"Foundry": {"out", "", ""},
		"Hardhat": {"artifacts", "src", "src/lib"},
	} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			root := filepath.Join(compiledArtifacts, folders.root)
			path := func(name string) string { return filepath.Join(root, folders.source, name+".sol", name+".json") }
			var log bytes.Buffer
			node, err := fakenode.New(fakenode.Config{
				Artifacts: []string{root, openZeppelin}, Compat: fakenode.Geth, Mode: fakenode.Instant, Logger: slog.New(slog.NewTextHandler(&log, nil)),
			})
			require.NoError(t, err)
			defer node.Close()
			owner, other := node.Account(0), node.Account(1)
			deploy := func(path string, arguments ...any) common.Address {
				address, err := node.DeployArtifact(owner, path, arguments...)
				require.NoError(t, err)
				return address
			}
			shares, coin, scaler := deploy(path("Shares"), 1000), deploy(path("Coin")), deploy(path("Scaler"), 3, "thrice")
			vesting := deploy(openZeppelin+"/VestingWallet.json", owner.Address, uint64(node.Now().Unix()), uint64(60))

			fails := func(to common.Address, data []byte, want string) {
				t.Helper()
				_, err := node.Transact(other, fakenode.Tx{To: &to, Data: data})
				require.ErrorContains(t, err, "execution reverted: "+want)
				err = node.Client().Client().Call(nil, "eth_call", map[string]any{"from": other.Address, "to": to, "data": hexutil.Bytes(data)})
				require.EqualError(t, err, "execution reverted: "+want)
			}
			who := other.Address.Hex()
			fails(shares, called(t, "transfer(address,uint256)", owner.Address, big.NewInt(5)), "ERC20InsufficientBalance(sender: "+who+", balance: 0, needed: 5)")
			fails(vesting, called(t, "transferOwnership(address)", other.Address), "OwnableUnauthorizedAccount(account: "+who+")")
			fails(coin, called(t, "transfer(address,uint256)", owner.Address, big.NewInt(5)), "InsufficientBalance()")
			fails(coin, called(t, "mint(address,uint256)", other.Address, big.NewInt(5)), "Unauthorized()")
			fails(scaler, called(t, "scale(uint256)", big.NewInt(2000)), "TooLarge(given: 2000, limit: 1000)")

			for _, tx := range []fakenode.Tx{
				{To: &scaler, Data: called(t, "scale(uint256)", big.NewInt(14))},
				{To: &coin, Data: called(t, "mint(address,uint256)", other.Address, big.NewInt(5))},
				{To: &vesting, Data: called(t, "transferOwnership(address)", other.Address)},
				{To: &shares, Data: called(t, "transfer(address,uint256)", other.Address, big.NewInt(5))},
			} {
				_, err := node.Transact(owner, tx)
				require.NoError(t, err)
			}
			require.NoError(t, node.Close())
			by := owner.Address.Hex()
			for _, want := range []string{
				`contract=Scaler call="scale(x: 14)" events="[Scaled(by: ` + by + `, result: 42)]"`,
				`contract=Coin call="mint(to: ` + who + `, amount: 5)" events="[Transfer(from: 0x0000000000000000000000000000000000000000, to: ` + who + `, amount: 5)]"`,
				`contract=VestingWallet call="transferOwnership(newOwner: ` + who + `)" events="[OwnershipTransferred(previousOwner: ` + by + `, newOwner: ` + who + `)]"`,
				`contract=Shares call="transfer(to: ` + who + `, value: 5)" events="[Transfer(from: ` + by + `, to: ` + who + `, value: 5)]"`,
			} {
				require.Contains(t, log.String(), want)
			}
		})
	}
}

// Ensure go-ethereum's call tracer has errors that contracts declare as revertReason where eth_call has them, of calls
// inside of others, too, and alone or under muxTracer; without artifacts and for clients of the contract's profile it
// is go-ethereum's own answer.
func TestDeclaredErrorsInCallTracer(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "Till.json"), []byte(`{"abi":[
		{"type":"error","name":"Short","inputs":[{"name":"missing","type":"uint256"}]}],"bytecode":{"object":"0x00"}}`), 0o600))
	inner, outer := common.HexToAddress("0x7111"), common.HexToAddress("0x7112")
	for _, test := range []struct {
		config fakenode.Config
		want   string
	}{
		{fakenode.Config{Artifacts: []string{folder}, Compat: fakenode.Geth}, "Short(missing: 7)"},
		{fakenode.Config{Artifacts: []string{folder}, Compat: fakenode.Spec}, ""},
		{fakenode.Config{Compat: fakenode.Geth}, ""},
	} {
		node := fakenode.RunConfigT(t, test.config)
		node.SetCode(inner, common.FromHex("365f5f37365ffd"))                                     // reverts with its data
		node.SetCode(outer, append(common.FromHex("365f5f375f5f365f5f617111"), 0x5a, 0xf1, 0x00)) // calls inner with its data
		hash, err := node.Transact(node.Account(0), fakenode.Tx{To: &outer, Gas: 100_000, Data: called(t, "Short(uint256)", big.NewInt(7))})
		require.NoError(t, err)
		node.Seal()
		type frame struct {
			RevertReason string
			Error        string
			Gas          string
			Calls        []struct{ RevertReason, Error string }
		}
		var alone frame
		var muxed struct{ CallTracer frame }
		client := node.Client().Client()
		require.NoError(t, client.Call(&alone, "debug_traceTransaction", hash, map[string]any{"tracer": "callTracer"}))
		require.NoError(t, client.Call(&muxed, "debug_traceTransaction", hash, map[string]any{"tracer": "muxTracer", "tracerConfig": map[string]any{"callTracer": map[string]any{}}}))
		require.Equal(t, alone, muxed.CallTracer)
		require.Empty(t, alone.RevertReason)
		require.Equal(t, "0x186a0", alone.Gas)
		require.Equal(t, "execution reverted", alone.Calls[0].Error)
		require.Equal(t, test.want, alone.Calls[0].RevertReason)
	}
}
