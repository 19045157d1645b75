package tokencontract_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure Go and the token agree on any 65 bytes: which are a signature, and whose.
func FuzzRecoverAgreesWithToken(f *testing.F) {
	reasons := map[string]error{
		"ECRecover: invalid signature 's' value": tokencontract.ErrSignatureS,
		"ECRecover: invalid signature 'v' value": tokencontract.ErrSignatureV,
		"ECRecover: invalid signature":           tokencontract.ErrSignature,
	}
	a := tokencontract.Authorization{From: payer.Address, To: merchant.Address, Value: uint256.NewInt(0), ValidBefore: 1 << 40}
	good := payer.Sign(testDomain(tokencontract.MainnetAddress), a.TransferMessage())
	f.Add(good[:])
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		changed := good
		for range 1 + r.IntN(3) {
			changed[r.IntN(len(changed))] = byte(r.Uint32())
		}
		if r.IntN(4) == 0 { // an r of zero, or over the field's order, recovers to nobody
			copy(changed[:32], bytes.Repeat([]byte{byte(-r.IntN(2))}, 32))
		}
		f.Add(changed[:])
	}
	account, err := tokencontract.Alloc(tokencontract.Genesis{
		Params: tokencontract.Params{Owner: owner.Address}, Address: tokencontract.MainnetAddress, ChainID: testChainID,
	})
	require.NoError(f, err)

	f.Fuzz(func(t *testing.T, raw []byte) {
		signature, err := tokencontract.ParseSignature(raw)
		if err != nil {
			require.ErrorIs(t, err, tokencontract.ErrSignatureLength)
			return
		}
		chain := newEVM(t)
		chain.place(tokencontract.MainnetAddress, account)
		signer, err := a.TransferMessage().Recover(testDomain(tokencontract.MainnetAddress), signature)
		outcome := chain.Call(common.Address{9}, tokencontract.MainnetAddress, a.PackTransfer(signature))
		if outcome.Succeeded {
			require.NoError(t, err)
			require.Equal(t, payer.Address, signer)
			return
		}
		reason, unpackErr := abi.UnpackRevert(outcome.Output)
		require.NoError(t, unpackErr)
		if reason == "FiatTokenV2: invalid signature" {
			require.NoError(t, err)
			require.NotEqual(t, payer.Address, signer)
			return
		}
		require.Contains(t, reasons, reason)
		require.ErrorIs(t, err, reasons[reason])
	})
}
