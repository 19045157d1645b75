package door_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// relay is the code of a contract that calls the console with its call data, and reverts if it was sent value.
var relay = common.FromHex("365f5f375f5f365f73000000000000000000636F6E736F6C652e6c6f675afa5034602857005b5f5ffd")

// logged returns the call of the console with a text and a number.
func logged(t *testing.T, text string, number int64) []byte {
	t.Helper()
	word, err := abi.NewType("string", "", nil)
	require.NoError(t, err)
	number256, err := abi.NewType("uint256", "", nil)
	require.NoError(t, err)
	packed, err := abi.Arguments{{Type: word}, {Type: number256}}.Pack(text, big.NewInt(number))
	require.NoError(t, err)
	return append(crypto.Keccak256([]byte("log(string,uint256)"))[:4], packed...)
}

// listener is a test whose log is read.
type listener struct {
	*testing.T
	lines []string
	ends  []func()
}

func (l *listener) Log(args ...any)  { l.lines = append(l.lines, fmt.Sprint(args...)) }
func (l *listener) Cleanup(f func()) { l.ends = append(l.ends, f) }

// Ensure console.log of contracts is in the log of the test that owns the node, also of a transaction that failed or is
// only pre-confirmed, and is served by fakenode_console.
func TestConsoleLog(t *testing.T) {
	t.Parallel()
	for _, preset := range []fakenode.Preset{fakenode.Dev, fakenode.BaseFlashblocks} {
		t.Run(string(preset), func(t *testing.T) {
			t.Parallel()
			testConsoleLog(t, preset)
		})
	}
}

func testConsoleLog(t *testing.T, preset fakenode.Preset) {
	owner := &listener{T: t}
	node := fakenode.RunConfigT(owner, fakenode.Config{Preset: preset})
	contract := common.HexToAddress("0xc0ffee")
	node.SetCode(contract, relay)
	send := func(tx fakenode.Tx) common.Hash {
		tx.To, tx.Gas = &contract, 100_000
		hash, err := node.Transact(node.Account(0), tx)
		require.NoError(t, err)
		return hash
	}
	first := send(fakenode.Tx{Data: logged(t, "paid %d of", 7)})
	failing := send(fakenode.Tx{Data: logged(t, "fails", 8), Value: uint256.NewInt(1)})
	node.Seal()
	receipt, err := node.Receipt(t.Context(), failing)
	require.NoError(t, err)
	require.Equal(t, types.ReceiptStatusFailed, receipt.Status)
	send(fakenode.Tx{Data: logged(t, "pending", 9)})
	node.Preconfirm()
	silent := send(fakenode.Tx{})
	node.Preconfirm()

	var lines []string
	client := node.Client().Client()
	require.NoError(t, client.Call(&lines, "fakenode_console", first))
	require.Equal(t, []string{"paid 7 of"}, lines)
	require.NoError(t, client.Call(&lines, "fakenode_console", silent))
	require.Equal(t, []string{"0x"}, lines, "no call of console.log: its data")
	require.ErrorContains(t, client.Call(&lines, "fakenode_console", common.Hash{1}), "transaction not found")

	for _, end := range owner.ends {
		end()
	}
	require.Equal(t, []string{"console.log: paid 7 of", "console.log: fails 8", "console.log: pending 9", "console.log: 0x"}, owner.lines)
}

// Ensure Config.Console gets each line once, pre-confirmed and sealed.
func TestConfigConsole(t *testing.T) {
	t.Parallel()
	lines := make(chan string, 8)
	node, err := fakenode.New(fakenode.Config{Console: func(line string) { lines <- line }})
	require.NoError(t, err)
	contract := common.HexToAddress("0xc0ffee")
	node.SetCode(contract, relay)
	for i := range int64(2) {
		_, err := node.Transact(node.Account(0), fakenode.Tx{To: &contract, Gas: 100_000, Data: logged(t, "line", i)})
		require.NoError(t, err)
		node.Preconfirm()
	}
	node.Seal()
	require.NoError(t, node.Close())
	close(lines)
	var said []string
	for line := range lines {
		said = append(said, line)
	}
	require.Equal(t, []string{"line 0", "line 1"}, said)
}
