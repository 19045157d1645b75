package channel

import (
	"context"
	"crypto/ecdsa"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"github.com/fakenode/fakenode/contracts"
	helpers "github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/tokencontract"
)

// madeBy reports whether an account's key made a signature.
func madeBy(account common.Address, digest common.Hash, raw []byte) bool {
	signature, err := tokencontract.ParseSignature(raw)
	if err != nil {
		return false
	}
	signer, err := signature.Recover(digest)
	return err == nil && signer == account
}

// signs reports whether a signature is an account's now: one with code answers for itself (ERC-1271).
func (s *Scheme) signs(ctx context.Context, account common.Address, digest common.Hash, signature []byte) bool {
	code, err := s.f.Code(ctx, account)
	if err != nil {
		return false
	}
	if len(code) == 0 {
		return madeBy(account, digest, signature)
	}
	wallet := helpers.NewWallet()
	answer, err := s.f.Read(ctx, account, wallet.PackIsValidSignature(digest, signature))
	if err != nil {
		return false
	}
	magic, err := wallet.UnpackIsValidSignature(answer)
	return err == nil && magic == [4]byte{0x16, 0x26, 0xba, 0x7e}
}

// signData signs typed data.
func signData(key *ecdsa.PrivateKey, data apitypes.TypedData) ([]byte, error) {
	signature, err := tokencontract.Sign(contracts.Digest(data), key)
	return signature.Bytes(), err
}
