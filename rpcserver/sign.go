package rpcserver

import (
	"fmt"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// ethSign serves eth_sign: the signature of a message with the prefix of EIP-191, version 0x45.
func ethSign(r *api.Request, account common.Address, message hexutil.Bytes) (any, error) {
	return sign(r, account, accounts.TextHash(message))
}

// personalSign serves personal_sign, which is eth_sign with its parameters the other way round. A third
// one, the password, is ignored.
func personalSign(r *api.Request, message hexutil.Bytes, account common.Address, _ *string) (any, error) {
	return sign(r, account, accounts.TextHash(message))
}

// personalRecover serves personal_ecRecover: the account that signed a message by personal_sign.
func personalRecover(r *api.Request, message, signature hexutil.Bytes) (any, error) {
	invalid := func(problem string) error {
		return api.InvalidParams("invalid argument 1 (signature) of %s: %s", r.Method, problem)
	}
	if len(signature) != crypto.SignatureLength {
		return nil, invalid(fmt.Sprintf("%d bytes, want %d", len(signature), crypto.SignatureLength))
	}
	signature[crypto.RecoveryIDOffset] -= 27
	key, err := crypto.SigToPub(accounts.TextHash(message), signature)
	if err != nil {
		return nil, invalid(err.Error())
	}
	return crypto.PubkeyToAddress(*key), nil
}

// signTypedData serves eth_signTypedData_v4 and eth_signTypedData (EIP-712, contract 2.7-type).
func signTypedData(r *api.Request, account common.Address, data typedData) (any, error) {
	digest, err := data.digest()
	if err != nil {
		return nil, api.InvalidParams("invalid argument 1 (typed data) of %s: %s", r.Method, err)
	}
	return sign(r, account, digest)
}

// sign signs a digest; the last byte of the signature is 27 or 28.
func sign(r *api.Request, account common.Address, digest []byte) (any, error) {
	key := r.Network.Key(account)
	if key == nil {
		return nil, unknownAccount(account)
	}
	signature, err := crypto.Sign(digest, key)
	if err != nil {
		return nil, api.Refused(err)
	}
	signature[crypto.RecoveryIDOffset] += 27
	return hexutil.Bytes(signature), nil
}
