package integration_test

import (
	"bufio"
	"encoding/json"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts/b20"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// indexed is a line of the indexer in TypeScript.
type indexed struct {
	Block, Balances          any
	Hash                     common.Hash
	Undone, Entered, Pending int
	Memos                    map[common.Hash]string
}

// Ensure the indexer in TypeScript of examples says what the chain says, after transfers that are pre-confirmed and
// sealed, and after reorgs that lose them, move them and go deep; that answers of nodes behind take nothing back, and
// that it has the memos of a B20 token. Its types hold.
func TestTypeScriptIndexer(t *testing.T) {
	t.Parallel()
	requireNode(t)
	program := node22(t)
	require.NoError(t, installPackages(scripts))
	require.NoError(t, installPackages(npmPackage))
	folder, err := os.MkdirTemp(scripts, ".indexer-") // viem is found above it
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	require.NoError(t, os.CopyFS(folder, os.DirFS("../examples/indexer/typescript")))
	compiler, err := filepath.Abs(filepath.Join(npmPackage, "node_modules"))
	require.NoError(t, err)
	runIn(t, folder, "node", filepath.Join(compiler, "typescript/bin/tsc"), "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022",
		"--module", "nodenext", "--types", "node", "--typeRoots", filepath.Join(compiler, "@types"), "indexer.mts")

	node := fakenode.RunT(t)
	token, payer, payee := node.Token(), node.Account(0), node.Account(1).Address
	start := func(token common.Address) (until func(func(indexed) bool) indexed) {
		command := exec.CommandContext(t.Context(), program, "--disable-warning=ExperimentalWarning", "indexer.mts", node.WebSocketURL(), token.Hex())
		command.Dir, command.Stderr = folder, t.Output()
		stdout, err := command.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, command.Start())
		t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
		lines := bufio.NewScanner(stdout)
		return func(done func(indexed) bool) (line indexed) {
			t.Helper()
			for lines.Scan() {
				line = indexed{}
				require.NoError(t, json.Unmarshal(lines.Bytes(), &line), lines.Text())
				if done(line) {
					return line
				}
			}
			require.NoError(t, lines.Err())
			require.Fail(t, "the indexer ended")
			return line
		}
	}
	until := start(token.Address())
	atHead := func(line indexed) bool {
		head := node.Moment().Latest()
		return line.Hash == head.Hash()
	}
	holds := func(line indexed) {
		t.Helper()
		balances := line.Balances.(map[string]any)
		for _, account := range []common.Address{payer.Address, payee} {
			require.Equal(t, token.BalanceOf(account).Dec(), balances[account.Hex()], account.Hex())
		}
	}
	require.Empty(t, until(atHead).Balances)

	transfer, err := tokencontract.ABI().Pack("transfer", payee, fixtures.USD("25.00").ToBig())
	require.NoError(t, err)
	_, err = node.Transact(payer, fakenode.Tx{To: new(token.Address()), Data: transfer})
	require.NoError(t, err)
	node.Preconfirm()
	require.Empty(t, until(func(line indexed) bool { return line.Pending == 1 }).Balances)
	node.Seal()
	holds(until(atHead))
	for _, reorg := range []fakenode.ReorgOptions{{Depth: 1, Transactions: fakenode.Drop}, {Depth: 1}, {Depth: 3, Length: new(5)}, {Depth: 4, Transactions: fakenode.Drop}} {
		for range 3 {
			token.Transfer(payer, payee, fixtures.USD("1.00")) // sealed
			until(atHead)
		}
		_, err := node.Reorg(reorg)
		require.NoError(t, err)
		line := until(atHead)
		require.Equal(t, reorg.Depth, line.Undone)
		holds(line)
	}

	// Three answers in ten are of a node that is two blocks behind.
	require.NoError(t, node.Fail(fakenode.Fault{Times: fakenode.Forever, Share: 0.3, Seed: 3, Behind: fakenode.Behind{Blocks: 2}}))
	for range 8 {
		token.Transfer(payer, payee, fixtures.USD("1.00"))
		holds(until(func(line indexed) bool {
			require.Zero(t, line.Undone)
			return atHead(line)
		}))
	}
	node.ClearFaults()

	until = start(b20.Address)
	require.Empty(t, until(atHead).Memos)
	for memo, data := range map[common.Hash][]byte{
		{}:     b20.NewStablecoin().PackTransfer(payee, big.NewInt(3)), // it has none
		{1: 1}: b20.NewStablecoin().PackTransferWithMemo(payee, big.NewInt(4), common.Hash{1: 1}),
		{2: 2}: b20.NewStablecoin().PackTransferWithMemo(payee, big.NewInt(5), common.Hash{2: 2}),
	} {
		_, err := node.Transact(payer, fakenode.Tx{To: &b20.Address, Data: data, Gas: 200_000})
		require.NoError(t, err, memo)
	}
	node.Seal()
	require.Equal(t, map[common.Hash]string{{1: 1}: "4", {2: 2}: "5"}, until(atHead).Memos)
	_, err = node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: fakenode.Drop})
	require.NoError(t, err)
	require.Empty(t, until(atHead).Memos)
}
