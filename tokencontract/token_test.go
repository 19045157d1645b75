package tokencontract_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm/runtime"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

var (
	payer, merchant, owner = fixtures.Dev(0), fixtures.Dev(1), fixtures.Dev(4)
	binding                = tokencontract.NewToken()
)

// deploy deploys a token whose owner has every role.
func deploy(t *testing.T, v tokencontract.Variant) (*evm, common.Address) {
	t.Helper()
	chain := newEVM(t)
	outcome := chain.Send(fixtures.Dev(9), nil, v.DeployCode(tokencontract.Params{Owner: owner.Address}))
	require.True(t, outcome.Succeeded)
	require.Equal(t, v.RuntimeCode(), chain.state.GetCode(outcome.Created))
	return chain, outcome.Created
}

func must(t *testing.T, chain *evm, from fixtures.Account, to common.Address, data []byte) []*types.Log {
	t.Helper()
	outcome := chain.Send(from, &to, data)
	reason, _ := abi.UnpackRevert(outcome.Output)
	require.True(t, outcome.Succeeded, "reverted: %q", reason)
	return outcome.Logs
}

// Ensure each variant takes the signatures it is documented to take for a capture, and the real one no other.
func TestCaptureSignature(t *testing.T) {
	t.Parallel()
	const refused = "FiatTokenV2: invalid signature"
	transfer, receive := tokencontract.Authorization.TransferMessage, tokencontract.Authorization.ReceiveMessage
	for name, row := range map[string]struct {
		variant tokencontract.Variant
		signed  func(tokencontract.Authorization) tokencontract.Message
		signer  fixtures.Account
		submit  func(tokencontract.Authorization, tokencontract.Signature) []byte
		reason  string
	}{
		"strict, receive":                       {tokencontract.Strict, receive, payer, tokencontract.Authorization.PackReceive, ""},
		"strict, transfer":                      {tokencontract.Strict, transfer, payer, tokencontract.Authorization.PackReceive, refused},
		"documented, receive":                   {tokencontract.DocumentedFlow, receive, payer, tokencontract.Authorization.PackReceive, ""},
		"documented, transfer":                  {tokencontract.DocumentedFlow, transfer, payer, tokencontract.Authorization.PackReceive, ""},
		"documented, somebody else's":           {tokencontract.DocumentedFlow, transfer, merchant, tokencontract.Authorization.PackReceive, refused},
		"documented, receive used for transfer": {tokencontract.DocumentedFlow, receive, payer, tokencontract.Authorization.PackTransfer, refused},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			chain, token := deploy(t, row.variant)
			must(t, chain, owner, token, binding.PackConfigureMinter(owner.Address, big.NewInt(1000)))
			must(t, chain, owner, token, tokencontract.PackMint(payer.Address, uint256.NewInt(1000)))
			a := tokencontract.Authorization{
				From: payer.Address, To: merchant.Address, Value: uint256.NewInt(1000),
				ValidAfter: chain.Now() - 60, ValidBefore: chain.Now() + 900, Nonce: tokencontract.NonceFromSeed(name),
			}
			data := row.submit(a, row.signer.Sign(testDomain(token), row.signed(a)))
			outcome := chain.Send(merchant, &token, data)
			require.Equal(t, row.reason == "", outcome.Succeeded)
			if row.reason != "" {
				reason, err := abi.UnpackRevert(outcome.Output)
				require.NoError(t, err)
				require.Equal(t, row.reason, reason)
				return
			}
			require.Len(t, outcome.Logs, 2)
			replay, err := abi.UnpackRevert(chain.Send(merchant, &token, data).Output)
			require.NoError(t, err)
			require.Equal(t, "FiatTokenV2: authorization is used or canceled", replay)
		})
	}
}

// Ensure no function takes ether, and no other data is answered: empty revert data, as from the real token.
func TestRefusesEtherAndUnknownFunctions(t *testing.T) {
	t.Parallel()
	chain, token := deploy(t, tokencontract.Strict)
	for name, data := range map[string][]byte{
		"transfer":         tokencontract.PackTransfer(merchant.Address, uint256.NewInt(0)),
		"no data":          nil,
		"unknown selector": {1, 2, 3, 4},
		"short selector":   {1, 2, 3},
	} {
		config := chain.config(payer.Address)
		config.Value = big.NewInt(1)
		chain.state.AddBalance(payer.Address, uint256.NewInt(1), 0)
		output, _, err := runtime.Call(token, data, config)
		require.Error(t, err, name)
		require.Empty(t, output, name)
	}
}

// Ensure the domain separator follows the chain's id at once.
func TestDomainSeparatorFollowsChainID(t *testing.T) {
	t.Parallel()
	chain, token := deploy(t, tokencontract.Strict)
	for _, id := range []uint64{testChainID, 1, 8453} {
		chain.chainID = id
		domain := testDomain(token)
		domain.ChainID = id
		require.Equal(t, domain.Separator().Bytes(), chain.Call(common.Address{}, token, binding.PackDOMAINSEPARATOR()).Output)
	}
}

func TestParseVariant(t *testing.T) {
	t.Parallel()
	for _, v := range []tokencontract.Variant{tokencontract.Strict, tokencontract.DocumentedFlow} {
		parsed, err := tokencontract.ParseVariant(v.String())
		require.NoError(t, err)
		require.Equal(t, v, parsed)
	}
	_, err := tokencontract.ParseVariant("lenient")
	require.EqualError(t, err, `token variant "lenient" is neither "strict" nor "documented"`)
}

func testDomain(token common.Address) tokencontract.Domain {
	return tokencontract.Domain{Name: tokencontract.MainnetName, Version: tokencontract.Version, ChainID: testChainID, VerifyingContract: token}
}
