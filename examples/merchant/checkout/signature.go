package checkout

import (
	"bytes"
	"context"
	"strings"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/tokencontract"
)

// wallet is the ABI of isValidSignature, by which a contract wallet checks a signature (ERC-1271).
var wallet = func() abi.ABI {
	parsed, err := abi.JSON(strings.NewReader(`[{"type":"function","name":"isValidSignature","stateMutability":"view",
		"inputs":[{"name":"hash","type":"bytes32"},{"name":"signature","type":"bytes"}],"outputs":[{"name":"","type":"bytes4"}]}]`))
	if err != nil {
		panic("checkout: " + err.Error()) // the text is a constant
	}
	return parsed
}()

// verify checks by the token's rules that the digest of a message for this chain and token was signed by an account: by
// its key, or where the account has code by asking it. Problems: Unsigned.
func (c *chain) verify(ctx context.Context, account common.Address, digest common.Hash, message string, signature Credential) error {
	if len(signature) == 0 {
		return problem(Unsigned, "signature is missing")
	}
	code, err := c.client.CodeAt(ctx, account, pending)
	if err != nil {
		return unavailable("read code", err)
	}
	if len(code) > 0 {
		return c.verifyWallet(ctx, account, digest, signature)
	}
	return c.verifyKey(account, digest, message, signature)
}

// verifyKey checks that the digest of a message was signed by an account's key. Problems: Unsigned.
func (c *chain) verifyKey(account common.Address, digest common.Hash, message string, signature Credential) error {
	parsed, err := tokencontract.ParseSignature(signature)
	if err != nil {
		return problem(Unsigned, "%v", err)
	}
	signer, err := parsed.Recover(digest)
	if err != nil {
		return problem(Unsigned, "%v", err)
	}
	if signer != account {
		return problem(Unsigned, "signature is not %s's over this %s for token %s on chain %d", account, message, c.token, c.domain.ChainID)
	}
	return nil
}

func (c *chain) verifyWallet(ctx context.Context, account common.Address, digest common.Hash, signature Credential) error {
	data, err := wallet.Pack("isValidSignature", digest, []byte(signature))
	if err != nil {
		return err
	}
	answer, err := c.client.CallContract(ctx, ethereum.CallMsg{To: &account, Data: data}, pending)
	if reason, reverted := revertReason(err); reverted {
		return problem(Unsigned, "wallet %s refuses the signature: %s", account, reason)
	}
	if err != nil {
		return unavailable("ask wallet", err)
	}
	method := wallet.Methods["isValidSignature"]
	if valid := common.RightPadBytes(method.ID, 32); len(answer) < 32 || !bytes.Equal(answer[:32], valid) {
		return problem(Unsigned, "wallet %s refuses the signature", account)
	}
	return nil
}
