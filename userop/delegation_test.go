package userop_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
)

// authorize returns an authorization of EIP-7702 as clients send it.
func authorize(t testing.TB, signer fakenode.Account, a types.SetCodeAuthorization, change object) object {
	t.Helper()
	a, err := types.SignSetCode(signer.Key, a)
	require.NoError(t, err)
	word := func(n uint256.Int) string { return fmt.Sprintf("0x%064x", n.ToBig()) }
	members := object{
		"chainId": hexutil.Uint64(a.ChainID.Uint64()), "address": a.Address, "nonce": hexutil.Uint64(a.Nonce),
		"yParity": fmt.Sprintf("0x%02x", a.V), "r": word(a.R), "s": word(a.S),
	}
	for name, value := range change {
		members[name] = value
	}
	return members
}

// Ensure an authorization that would not take effect is refused with the member that is wrong, and that one for this or
// every chain delegates its sender; it is told back without leading zeros.
func TestAuthorizationsOfOperations(t *testing.T) {
	t.Parallel()
	code, other := common.Address{0xc0}, common.Address{0xc1}
	l := newLab(t, code, other)
	sender, stranger := l.Account(3), l.Account(4)
	chain := *uint256.NewInt(31337)
	good := types.SetCodeAuthorization{ChainID: chain, Address: code}
	refused := func(text string, a object) {
		t.Helper()
		err := l.client.Call(nil, "eth_sendUserOperation", operation(sender.Address, object{"factory": "0x7702", "eip7702Auth": a}), entrypoint.V08Address)
		require.ErrorContains(t, err, text)
		require.Equal(t, -32602, err.(rpc.Error).ErrorCode(), err)
	}
	auth := "user operation: eip7702Auth: "
	refused(auth+"chainId is 0x1, want 0x7a69, or 0x0 for all chains", authorize(t, sender, types.SetCodeAuthorization{ChainID: *uint256.NewInt(1), Address: code}, nil))
	refused(auth+"the signature is not valid: yParity must be 0 or 1", authorize(t, sender, good, object{"yParity": "0x2"}))
	refused(auth+"the signature is not valid: yParity must be 0 or 1", authorize(t, sender, good, object{"yParity": "0x100"}))
	refused(auth+"it is signed by "+stranger.Address.Hex()+", not by the sender "+sender.Address.Hex(), authorize(t, stranger, good, nil))
	refused(auth+"nonce is 0x1, and the sender's is 0x0", authorize(t, sender, types.SetCodeAuthorization{ChainID: chain, Address: code, Nonce: 1}, nil))
	refused("is no hex number of at most 32 bytes", authorize(t, sender, good, object{"r": "0x" + strings.Repeat("0", 65)}))
	refused("is no hex number of at most 32 bytes", authorize(t, sender, good, object{"r": "12"}))
	refused("is no hex number of at most 32 bytes", authorize(t, sender, good, object{"r": "0x-1"}))

	told := func(hash common.Hash) (signed types.SetCodeAuthorization, factory string) {
		t.Helper()
		var object struct {
			UserOperation struct {
				Factory     string
				EIP7702Auth struct {
					ChainID, Nonce, YParity hexutil.Uint64
					R, S                    *hexutil.Big
					Address                 common.Address
				} `json:"eip7702Auth"`
			}
		}
		l.do(&object, "eth_getUserOperationByHash", hash)
		a := object.UserOperation.EIP7702Auth
		return types.SetCodeAuthorization{
			ChainID: *uint256.NewInt(uint64(a.ChainID)), Address: a.Address, Nonce: uint64(a.Nonce), V: uint8(a.YParity),
			R: *uint256.MustFromBig(a.R.ToInt()), S: *uint256.MustFromBig(a.S.ToInt()),
		}, object.UserOperation.Factory
	}
	for i, c := range []struct {
		auth  types.SetCodeAuthorization
		nonce string
	}{
		{good, "0x0"},
		{types.SetCodeAuthorization{Address: other, Nonce: 1}, "0x1"},
		{types.SetCodeAuthorization{Address: other, Nonce: 0}, "0x2"}, // it runs that code already
	} {
		hash := l.send(sender.Address, object{"nonce": c.nonce, "factory": "0x7702", "eip7702Auth": authorize(t, sender, c.auth, nil)})
		want, err := types.SignSetCode(sender.Key, c.auth)
		require.NoError(t, err)
		signed, factory := told(hash)
		require.Equal(t, want, signed, i)
		require.Equal(t, "0x7702", factory, i)
		l.Seal()
		require.Equal(t, fakenode.Sealed, l.Operation(hash).Where, i)
		var is hexutil.Bytes
		l.do(&is, "eth_getCode", sender.Address, "latest")
		require.Equal(t, hexutil.Bytes(types.AddressToDelegation(c.auth.Address)), is, i)
	}
	refused(auth+"nonce is 0x0, and the sender's is 0x2", authorize(t, sender, good, nil))
	hash := l.send(sender.Address, object{"nonce": "0x3", "factory": "0x7702"}) // it needs no other authorization
	l.Seal()
	require.Equal(t, fakenode.Sealed, l.Operation(hash).Where)
}
