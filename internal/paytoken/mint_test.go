package paytoken_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure fakenode_mintToken adds to a balance and answers with it, by a transaction of the owner whose key is known,
// and by hand where the owner is somebody else; and that both refuse more than a balance can be, and change nothing.
func TestMint(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	to := common.Address{19: 0x77}
	mint := func(units *big.Int) (balance hexutil.U256, err error) {
		err = node.Client().Client().CallContext(t.Context(), &balance, "fakenode_mintToken", to, (*hexutil.Big)(units))
		return balance, err
	}
	limit := tokencontract.MaxBalance.ToBig()
	above := new(big.Int).Sub(limit, big.NewInt(11))
	for _, c := range []struct {
		blocks, held uint64
		refusal      string
	}{{1, 12, "FiatToken: mint amount exceeds minterAllowance"}, {0, 24, "token mint: a balance of 24 and "}} {
		before := node.BlockNumber()
		balance, err := mint(big.NewInt(12))
		require.NoError(t, err)
		require.Equal(t, uint256.NewInt(c.held), (*uint256.Int)(&balance))
		require.Equal(t, (*uint256.Int)(&balance), node.Token().BalanceOf(to))
		require.Equal(t, before+c.blocks, node.BlockNumber())
		_, err = mint(above)
		require.ErrorContains(t, err, c.refusal)
		require.Equal(t, (*uint256.Int)(&balance), node.Token().BalanceOf(to))

		data, err := tokencontract.ABI().Pack("transferOwnership", node.Account(3).Address)
		require.NoError(t, err)
		token := node.Token().Address()
		hash, err := node.Transact(fakenode.TokenOwner, fakenode.Tx{To: &token, Data: data, Gas: 100_000})
		require.NoError(t, err)
		node.Seal()
		_, err = node.Receipt(t.Context(), hash)
		require.NoError(t, err)
	}
	full := new(big.Int).Sub(limit, big.NewInt(24))
	balance, err := mint(full)
	require.NoError(t, err)
	require.Equal(t, tokencontract.MaxBalance, (*uint256.Int)(&balance), "the most it can be")
	_, err = mint(big.NewInt(1))
	require.ErrorContains(t, err, "1 more is above the token's limit")
}
