package eth

import (
	"fmt"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/rpcserver/api"
)

// Sign serves eth_sign: the signature of a message with the prefix of EIP-191, version 0x45.
func Sign(r *api.Request, account common.Address, message hexutil.Bytes) (any, error) {
	return signDigest(r, account, accounts.TextHash(message))
}

// PersonalSign serves personal_sign: eth_sign with its parameters swapped, and a password, which is ignored.
func PersonalSign(r *api.Request, message hexutil.Bytes, account common.Address, _ *string) (any, error) {
	return signDigest(r, account, accounts.TextHash(message))
}

// PersonalRecover serves personal_ecRecover: the account that signed a message by personal_sign.
func PersonalRecover(r *api.Request, message, signature hexutil.Bytes) (any, error) {
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

// SignTypedData serves eth_signTypedData_v4 and eth_signTypedData (EIP-712, contract 2.7-type). The domain of another
// chain is refused with MetaMask's code and words, which wallets' users look for.
func SignTypedData(r *api.Request, account common.Address, data typedData) (any, error) {
	signature, err := SignAnyTypedData(r, account, data)
	if err != nil {
		return nil, err
	}
	own := r.Moment().Chain().Config().ChainID
	if data.Domain["chainId"] != nil {
		given := fmt.Sprint(data.Domain["chainId"])
		id, ok := api.Integer(given)
		if ok {
			given = id.String()
		}
		if !ok || id.Cmp(own) != 0 {
			return nil, api.Errorf(api.CodeInternal, `Provided chainId "%s" must match the active chainId "%s"`, api.Excerpt(given), own)
		}
	}
	return signature, nil
}

// SignAnyTypedData is SignTypedData for domains of any chain.
func SignAnyTypedData(r *api.Request, account common.Address, data typedData) (any, error) {
	digest, err := data.digest(r.Ctx)
	switch {
	case r.Ctx.Err() != nil:
		return nil, r.Ctx.Err()
	case err != nil:
		return nil, api.InvalidParams("invalid argument 1 (typed data) of %s: %s", r.Method, err)
	}
	return signDigest(r, account, digest)
}

// signDigest signs a digest; the last byte of the signature is 27 or 28.
func signDigest(r *api.Request, account common.Address, digest []byte) (any, error) {
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
