package door_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure a test learns what the next fork breaks in one transaction, pre-confirmed or sealed.
func TestCompareForks(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	hook := common.Address{0xa1}
	node.SetCode(hook, program.New().Push(1).Op(vm.CALLER, vm.SSTORE, vm.STOP).Bytes())
	breaks, err := node.Transact(node.Account(0), fakenode.Tx{To: &hook, Gas: 60_000})
	require.NoError(t, err)
	_, err = node.CompareForks(breaks)
	require.ErrorAs(t, err, new(*fakenode.NoReceiptError))
	node.Preconfirm()
	early, err := node.CompareForks(breaks)
	require.NoError(t, err)
	node.Seal()
	compared, err := node.CompareForks(breaks)
	require.NoError(t, err)
	require.Equal(t, early, compared)
	require.Equal(t, "success", compared.Outcomes[0].Status)
	require.Equal(t, "failed", compared.Outcomes[1].Status)
	require.Len(t, compared.Findings, 1)
	finding := compared.Findings[0]
	require.Equal(t, "fixed-gas-in-client", finding.Name)
	require.Equal(t, []string{hook.Hex() + ".receive"}, finding.Calls)
}
