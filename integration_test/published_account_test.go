package integration_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/contracts/simple7702"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/contracttest"
)

// Ensure the account of EIP-7702 answers as the published one in everything that it does: batches, single calls,
// signatures, operations, tokens that it receives, with the same data in every revert.
func TestAccountsAgree(t *testing.T) {
	t.Parallel()
	var artifact struct{ Bytecode hexutil.Bytes }
	require.NoError(t, json.Unmarshal(contracttest.Published(t, "@account-abstraction/contracts@0.8.0", "package/artifacts/Simple7702Account.json"), &artifact))
	alice, bob := fixtures.Dev(3), fixtures.Dev(4)
	chainWith := func(code []byte) *contracttest.Chain {
		c := contracttest.New(t, types.GenesisAlloc{
			simple7702.V08Address: {Code: code}, entrypoint.V08Address: entrypoint.Predeploys()[entrypoint.V08Address],
		})
		c.Delegate(alice, simple7702.V08Address)
		c.GiveEther(entrypoint.V08Address, fixtures.Ether("1"))
		return c
	}
	ours := chainWith(simple7702.Predeploys()[simple7702.V08Address].Code)
	published := chainWith(ours.Code(ours.Deploy(artifact.Bytecode)))

	account, digest := simple7702.NewSimple7702Account(), common.HexToHash("0xd1")
	transfer := func(units uint64) simple7702.Call {
		data := append(common.FromHex("0xa9059cbb"), common.LeftPadBytes(bob.Address[:], 32)...)
		return simple7702.Call{Target: contracttest.TokenAddress, Value: new(big.Int), Data: append(data, common.BigToHash(new(big.Int).SetUint64(units)).Bytes()...)}
	}
	pay := simple7702.Call{Target: bob.Address, Value: big.NewInt(5)}
	poor := simple7702.Call{Target: bob.Address, Value: new(big.Int).Lsh(big.NewInt(1), 200)}
	signature := alice.SignDigest(digest).Bytes()
	high := append([]byte{}, signature...)
	copy(high[32:64], common.FromHex("0xffffffffffffffffffffffffffffffff00000000000000000000000000000000"))
	none := append(make([]byte, 64), 29)
	operation := func(signature []byte) simple7702.PackedUserOperation {
		return simple7702.PackedUserOperation{Sender: alice.Address, Nonce: new(big.Int), PreVerificationGas: new(big.Int), Signature: signature}
	}
	calls := map[string][]byte{
		"nothing": nil, "unknown function": {1, 2, 3, 4}, "short selector": {1},
		"empty batch": account.PackExecuteBatch(nil), "batch": account.PackExecuteBatch([]simple7702.Call{transfer(1), pay, transfer(2)}),
		"batch that fails":      account.PackExecuteBatch([]simple7702.Call{pay, transfer(1 << 60)}),
		"batch of one":          account.PackExecuteBatch([]simple7702.Call{transfer(1 << 60)}),
		"batch over balance":    account.PackExecuteBatch([]simple7702.Call{transfer(1), poor}),
		"batch of one too poor": account.PackExecuteBatch([]simple7702.Call{poor}),
		"execute":               account.PackExecute(bob.Address, big.NewInt(3), nil), "execute that fails": account.PackExecute(contracttest.TokenAddress, new(big.Int), transfer(1<<60).Data),
		"entry point": account.PackEntryPoint(), "nonce": account.PackGetNonce(),
		"its signature": account.PackIsValidSignature(digest, signature), "signature of another": account.PackIsValidSignature(digest, bob.SignDigest(digest).Bytes()),
		"short signature": account.PackIsValidSignature(digest, signature[:64]), "empty signature": account.PackIsValidSignature(digest, nil),
		"high s": account.PackIsValidSignature(digest, high), "no signer": account.PackIsValidSignature(digest, none),
		"operation": account.PackValidateUserOp(operation(signature), digest, new(big.Int)), "operation to pay for": account.PackValidateUserOp(operation(signature), digest, big.NewInt(9)),
		"operation signed by another": account.PackValidateUserOp(operation(bob.SignDigest(digest).Bytes()), digest, big.NewInt(9)),
		"operation unsigned":          account.PackValidateUserOp(operation(nil), digest, new(big.Int)),
		"ERC-721":                     account.PackOnERC721Received(bob.Address, bob.Address, big.NewInt(1), nil),
		"ERC-1155":                    account.PackOnERC1155Received(bob.Address, bob.Address, big.NewInt(1), big.NewInt(1), nil),
		"ERC-1155 batch":              account.PackOnERC1155BatchReceived(bob.Address, bob.Address, nil, nil, []byte{1}),
	}
	for _, id := range []string{"01ffc9a7", "19822f7c", "1626ba7e", "150b7a02", "4e2312e0", "ffffffff", "8dd7712f", "34fcd5be", "3a871cdd", "7702"} {
		calls["interface "+id] = account.PackSupportsInterface([4]byte(common.RightPadBytes(common.FromHex(id), 4)))
	}
	for name, data := range calls {
		for _, from := range []fixtures.Account{alice, bob, {Address: entrypoint.V08Address}} {
			for _, wei := range []uint64{0, 1} {
				a, b := ours.Try(from, alice.Address, data, uint256.NewInt(wei)), published.Try(from, alice.Address, data, uint256.NewInt(wei))
				what := fmt.Sprintf("%s from %s with %d wei", name, from.Address, wei)
				require.Equal(t, b.Succeeded, a.Succeeded, what)
				require.Equal(t, hexutil.Encode(b.Output), hexutil.Encode(a.Output), what)
				require.Equal(t, len(b.Logs), len(a.Logs), what)
			}
		}
	}
}
