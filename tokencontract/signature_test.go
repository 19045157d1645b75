package tokencontract_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures/contracts"
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

// magic is the word that ERC-1271's isValidSignature returns for a valid signature: its selector, then zeros.
var magic = new(uint256.Int).Lsh(uint256.NewInt(0x1626ba7e), 224)

// signatureCases are well-formed authorizations under odd signatures.
func signatureCases() []tableCase {
	const (
		badLength  = "ECRecover: invalid signature length"
		badS       = "ECRecover: invalid signature 's' value"
		badV       = "ECRecover: invalid signature 'v' value"
		recoverNil = "ECRecover: invalid signature"
	)
	order := uint256.MustFromBig(crypto.S256().Params().N)
	highS := func(signature tokencontract.Signature) []byte {
		s := signature.S()
		high := new(uint256.Int).Sub(order, new(uint256.Int).SetBytes(s[:])).Bytes32()
		flipped := signature.Bytes()
		copy(flipped[32:], high[:])
		flipped[64] = 55 - flipped[64] // 27 and 28 change places
		return flipped
	}
	withV := func(signature tokencontract.Signature, v byte) []byte {
		return append(signature.Bytes()[:64], v)
	}
	zeroR := func(signature tokencontract.Signature) []byte {
		return append(make([]byte, 32), signature.Bytes()[32:]...)
	}
	half := new(uint256.Int).Rsh(order, 1)
	withS := func(signature tokencontract.Signature, s *uint256.Int) []byte {
		changed, word := signature.Bytes(), s.Bytes32()
		copy(changed[32:], word[:])
		return changed
	}
	rows := []struct {
		name   string
		change func(tokencontract.Signature) []byte
		reason string
	}{
		{"empty", func(tokencontract.Signature) []byte { return nil }, badLength},
		{"64 bytes", func(s tokencontract.Signature) []byte { return s.Bytes()[:64] }, badLength},
		{"66 bytes", func(s tokencontract.Signature) []byte { return append(s.Bytes(), 0) }, badLength},
		{"high s", highS, badS},
		{"s of half the order", func(s tokencontract.Signature) []byte { return withS(s, half) }, invalid},
		{"s of half the order and 1", func(s tokencontract.Signature) []byte { return withS(s, plus(half, oneUnit)) }, badS},
		{"v of 0 or 1", func(s tokencontract.Signature) []byte { return withV(s, s.V()-27) }, badV},
		{"v of 29", func(s tokencontract.Signature) []byte { return withV(s, 29) }, badV},
		{"r of 0", zeroR, recoverNil},
		{"the other v", func(s tokencontract.Signature) []byte { return withV(s, 55-s.V()) }, invalid},
	}
	var cases []tableCase
	for _, k := range settlements {
		for _, row := range rows {
			cases = append(cases, newCase(k.name+"/signature/"+row.name, func(w *world) {
				for _, s := range signers[:2] {
					a := w.terms(s)
					signature := row.change(w.payer.Sign(w.domain, k.message(a)))
					if s.vrs && len(signature) != 65 {
						continue // has no v, r, s form
					}
					w.reverts(k.sender(w), k.pack(w, s, a, signature), row.reason)
					w.untouched(s, a)
				}
			}))
		}
	}
	return append(cases,
		contractSignerCase("of a contract that agrees to anything", func(w *world) common.Address { return w.deployConstant(magic) }, ""),
		contractSignerCase("of a contract that returns 32 times 0xff", func(w *world) common.Address { return w.deployConstant(maxUint) }, invalid),
		contractSignerCase("of a contract that returns more than the magic value", func(w *world) common.Address {
			return w.deployConstant(plus(magic, oneUnit))
		}, invalid),
		contractSignerCase("of a contract that returns 4 bytes", func(w *world) common.Address {
			return w.deploy(program.New().ReturnViaCodeCopy(program.New().ReturnData([]byte{0x16, 0x26, 0xba, 0x7e}).Bytes()).Bytes())
		}, invalid),
		contractSignerCase("of a contract that writes storage", func(w *world) common.Address {
			word := magic.Bytes32()
			return w.deploy(program.New().ReturnViaCodeCopy(program.New().Sstore(0, 1).ReturnData(word[:]).Bytes()).Bytes())
		}, invalid),
		contractSignerCase("of a contract without isValidSignature", func(w *world) common.Address {
			return w.deploy(contracts.DeployCode(contracts.CounterMetaData.Bin))
		}, invalid),
	)
}

// contractSignerCase pays from a contract under signatures of odd lengths.
func contractSignerCase(name string, deploy func(w *world) common.Address, reason string) tableCase {
	return newCase("signature/"+name, func(w *world) {
		payer := deploy(w)
		w.fund(payer, startUSD)
		a := w.terms(signers[2])
		a.From = payer
		for _, size := range []int{0, 1, 65, 200} {
			a.Nonce = tokencontract.NonceFromSeed(string(rune('a' + size)))
			if data := a.PackTransferBytes(make([]byte, size)); reason != "" {
				w.reverts(w.relayer, data, reason)
			} else {
				w.must(w.relayer, data)
			}
			w.usedIs(reason == "", payer, a.Nonce)
		}
		require.True(w.t, new(uint256.Int).SetBytes32(w.chain.Storage(payer, common.Hash{}).Bytes()).IsZero())
	})
}

// delegationCases pay from an account with delegated code (EIP-7702): it is asked like any contract, by ERC-1271.
func delegationCases() []tableCase {
	var cases []tableCase
	for _, k := range settlements {
		for _, s := range signers[:2] {
			cases = append(cases, newCase(k.name+"/"+s.name+"/delegated account", func(w *world) {
				a := w.terms(s)
				data := k.signed(w, s, a)
				w.chain.Delegate(w.payer, w.deploy(contracts.DeployCode(contracts.CounterMetaData.Bin)))
				w.reverts(k.sender(w), data, invalid) // the delegate has no isValidSignature
				w.untouched(s, a)
				w.chain.Delegate(w.payer, w.deployWallet(w.stranger.Address))
				w.reverts(k.sender(w), data, invalid) // the delegate takes another key
				w.untouched(s, a)
				w.chain.Delegate(w.payer, w.deployWallet(nobody))
				w.must(k.sender(w), data) // the delegate takes the account's own key
				w.balanceIs(w.merchant.Address, ten)
			}))
		}
	}
	return cases
}
