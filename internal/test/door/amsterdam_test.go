package door_test

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// gasCase is a transaction of account 0 in the table of docs/amsterdam.md.
type gasCase struct {
	what string
	tx   func(node *fakenode.Node) fakenode.Tx
}

func gasCases() []gasCase {
	stranger := common.HexToAddress("0x5712a9e5")
	to := func(address common.Address, wei uint64, data []byte) func(*fakenode.Node) fakenode.Tx {
		return func(*fakenode.Node) fakenode.Tx {
			return fakenode.Tx{To: &address, Value: uint256.NewInt(wei), Data: data}
		}
	}
	token := func(function string, arguments ...any) func(*fakenode.Node) fakenode.Tx {
		return func(node *fakenode.Node) fakenode.Tx {
			data, err := tokencontract.ABI().Pack(function, arguments...)
			if err != nil {
				panic(err)
			}
			return fakenode.Tx{To: new(node.Token().Address()), Data: data}
		}
	}
	holder, amount := fixtures.Dev(1).Address, fixtures.USD("1").ToBig()
	return []gasCase{
		{"ether to an account that has some", to(holder, 1, nil)},
		{"ether to an account that does not exist", to(stranger, 1, nil)},
		{"no ether, to an account without code", to(holder, 0, nil)},
		{"ether to oneself", to(fixtures.Dev(0).Address, 1, nil)},
		{"1,000 bytes of call data to an account without code", to(holder, 0, bytes.Repeat([]byte{1}, 1000))},
		{"`transfer` of the token to a holder", token("transfer", holder, amount)},
		{"`transfer` of the token to an account that holds none", token("transfer", stranger, amount)},
		{"`approve` of a new spender", token("approve", holder, amount)},
		{"`receiveWithAuthorization` by a merchant who holds some", func(node *fakenode.Node) fakenode.Tx {
			payer := node.Account(1)
			auth := fixtures.Authorization(payer, node.Account(0), fixtures.USD("1"), node.Now())
			return fakenode.Tx{To: new(node.Token().Address()), Data: fixtures.Sign(payer, node.Token().Domain(), auth).Capture()}
		}},
		{"deployment of a contract of 1,000 bytes", func(*fakenode.Node) fakenode.Tx {
			return fakenode.Tx{Data: program.New().ReturnViaCodeCopy(bytes.Repeat([]byte{0x5b}, 1000)).Bytes()}
		}},
	}
}

// TestGasOfAmsterdam measures the table of docs/amsterdam.md.
func TestGasOfAmsterdam(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/amsterdam.md")
	require.NoError(t, err)
	for _, c := range gasCases() {
		row := fmt.Sprintf("| %s | %s | %s |", c.what, gasUnder(t, "osaka", c), gasUnder(t, "amsterdam", c))
		require.Contains(t, string(page), row)
	}
}

// gasUnder returns the gas that a transaction needs and uses under a hard fork, as text.
func gasUnder(t *testing.T, fork string, c gasCase) string {
	t.Helper()
	node := fakenode.RunConfigT(t, fakenode.Config{Hardfork: fork, StartTime: time.Unix(1_800_000_000, 0)})
	tx := c.tx(node)
	tx.Gas = 5_000_000
	hash, err := node.Transact(node.Account(0), tx)
	require.NoError(t, err, c.what)
	node.Seal()
	found, err := node.Moment().Find(hash)
	require.NoError(t, err)
	require.Equal(t, uint64(1), found.Receipt.Status, c.what)
	if gas := found.View.GasByKind(); gas != nil && gas[0].State > 0 {
		return fmt.Sprintf("%s (state %s)", grouped(found.Receipt.GasUsed), grouped(gas[0].State))
	}
	return grouped(found.Receipt.GasUsed)
}

// grouped returns a number with commas between thousands.
func grouped(n uint64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}
