package explain_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure fakenode_profile describes a transaction, pre-confirmed and sealed, and a call on the block that it names, and
// refuses what it cannot mean.
func TestProfile(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	type profile struct {
		Transaction           *common.Hash
		Error                 string
		GasUsed, IntrinsicGas uint64
		Functions             []struct{ Address common.Address }
	}
	tx := n.Transact(0, &servertest.Reverter, new(big.Int), []byte{1})
	pooled := n.Sign(0, &servertest.Bob.Address, new(big.Int), nil)
	n.Refuses(api.CodeServer, []string{tx.Hash().Hex() + " is in no sealed or pre-confirmed block"}, "fakenode_profile", tx.Hash())
	n.Refuses(api.CodeServer, []string{pooled.Hash().Hex() + " is in no sealed"}, "fakenode_profile", pooled.Hash())
	n.Preconfirm()
	early := servertest.Fetch[profile](n, "fakenode_profile", tx.Hash())
	n.Seal(1)
	sealed := servertest.Fetch[profile](n, "fakenode_profile", tx.Hash())
	require.Equal(t, early, sealed)
	require.Equal(t, tx.Hash(), *sealed.Transaction)
	require.Equal(t, "execution reverted: 0x01", sealed.Error)
	require.Equal(t, n.Timeline.Moment().Latest().Receipts()[0].GasUsed, sealed.GasUsed)

	emptied := common.HexToAddress("0xe4")
	n.Do("anvil_setCode", emptied, hexutil.Bytes(program.New().Op(vm.GAS, vm.POP).Bytes()))
	call := map[string]any{"to": emptied}
	n.Seal(1)
	for _, tag := range []any{nil, "latest", "pending", "0x2"} {
		is := servertest.Fetch[profile](n, "fakenode_profile", call, tag)
		require.Nil(t, is.Transaction)
		require.EqualValues(t, 21_000+2+2, is.GasUsed, "%v", tag)
		require.EqualValues(t, 21_000, is.IntrinsicGas)
		require.Equal(t, emptied, is.Functions[0].Address)
	}
	require.EqualValues(t, 21_000, servertest.Fetch[profile](n, "fakenode_profile", call, "earliest").GasUsed, "there was no code")

	n.Refuses(api.CodeInvalidParams, []string{"argument 1 (block) of fakenode_profile is for a call"}, "fakenode_profile", tx.Hash(), "latest")
	n.Refuses(api.CodeInvalidParams, []string{`"too"`}, "fakenode_profile", map[string]any{"too": emptied})
	n.Refuses(api.CodeInvalidParams, []string{"want the hash of a transaction, or a call object"}, "fakenode_profile", 7)
	n.Refuses(api.CodeInvalidParams, []string{"want the hash of a transaction, or a call object"}, "fakenode_profile", "0x12")
	n.Refuses(api.CodeNotFound, []string{"block not found: 0x9"}, "fakenode_profile", call, "0x9")
	n.Refuses(api.CodeServer, []string{"insufficient funds"}, "fakenode_profile", map[string]any{"from": emptied, "value": "0x1"})
}
