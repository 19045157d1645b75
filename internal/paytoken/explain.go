package paytoken

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/tokencontract"
)

// invalidSignature is the real token's reason for a signature of another primary type.
const invalidSignature = "FiatTokenV2: invalid signature"

// RefusedSignature reports whether an error is a revert for that reason.
func RefusedSignature(err error) bool {
	var revert *evmstate.RevertError
	return errors.As(err, &revert) && revert.Reason() == invalidSignature
}

const (
	termsSize = 6 * 32               // from, to, value, validAfter, validBefore, nonce: call data has them as they are hashed
	leastData = 4 + termsSize + 2*32 // of a call of receiveWithAuthorization
)

// Explain returns a sentence for the user if the outcome of an executed transaction depends on the token's variant: it
// calls receiveWithAuthorization, itself or by contracts, with a signature of TransferWithAuthorization. Else, and
// where the state is no longer kept, it returns "". It executes the transaction again if need be.
func Explain(ctx context.Context, v *preconf.View, index int) string {
	tx, receipt := v.Transaction(index), v.Receipts()[index]
	if tx.To() == nil || len(tx.Data()) < leastData {
		return ""
	}
	view, err := v.CallView()
	if err != nil {
		return ""
	}
	ofAnother := func(log *types.Log) bool { // an authorization that another contract than the one that tx calls used up
		return len(log.Topics) > 0 && log.Topics[0] == tokencontract.AuthorizationUsedTopic && log.Address != *tx.To()
	}
	if c, ok := captureBy(*tx.To(), tx.Data()); ok {
		if !c.isTransfer(ctx, view) {
			return ""
		}
		if c.settled(receipt.Logs) {
			return sentence(view, c.token, true)
		}
	} else if receipt.Status == types.ReceiptStatusSuccessful && !bytes.Contains(tx.Data(), receiveSelector) &&
		!bytes.Contains(tx.Data(), receiveVRSSelector) && !slices.ContainsFunc(receipt.Logs, ofAnother) {
		return ""
	}
	tree, err := trace.TreeTransaction(ctx, v.Chain(), v, index)
	if err != nil {
		return ""
	}
	return explain(ctx, view, tree.Root, receipt.Logs)
}

// ExplainCall returns the sentence of Explain for a call that failed, as a trace has it.
func ExplainCall(ctx context.Context, view chain.View, root *trace.Branch) string {
	return explain(ctx, view, root, nil)
}

// explain returns the sentence for the first capture in a trace that has one. logs are the transaction's.
func explain(ctx context.Context, view chain.View, b *trace.Branch, logs []*types.Log) string {
	if c, ok := captureBy(b.To, b.Input); ok && b.Op == "CALL" {
		settled := c.settled(logs)
		refused := b.Err != nil && RefusedSignature(&evmstate.RevertError{Data: b.Output})
		if (settled || refused) && c.isTransfer(ctx, view) {
			return sentence(view, c.token, settled)
		}
	}
	for _, step := range b.Steps {
		if step.Branch == nil {
			continue
		}
		if found := explain(ctx, view, step.Branch, logs); found != "" {
			return found
		}
	}
	return ""
}

// sentence explains why a token settled or refused a capture with a signature of TransferWithAuthorization. Only the
// variants of package tokencontract can be chosen.
func sentence(view chain.View, token common.Address, settled bool) string {
	if settled {
		return fmt.Sprintf("token %s settled this capture by a TransferWithAuthorization signature, which USDC refuses with %q: "+
			"in production the payer must sign ReceiveWithAuthorization (--token strict refuses as USDC does)", token, invalidSignature)
	}
	explained := fmt.Sprintf("token %s refused this capture, as USDC does, because the payer signed TransferWithAuthorization: "+
		"receiveWithAuthorization needs a ReceiveWithAuthorization signature", token)
	if tokencontract.VariantOf(view.State.Code(token)) == tokencontract.Strict {
		explained += " (--token documented takes either)"
	}
	return explained
}

// Selectors of both forms of receiveWithAuthorization, of DOMAIN_SEPARATOR, and of isValidSignature (ERC-1271), which
// is its answer, too.
var (
	receiveSelector    = common.FromHex("88b7ab63")
	receiveVRSSelector = common.FromHex("ef55bec6")
	separatorSelector  = common.FromHex("3644e515")
	validSelector      = common.FromHex("1626ba7e")
)

type capture struct {
	token     common.Address
	terms     []byte // of termsSize
	signature []byte
}

// captureBy returns the capture that a call of an account is; ok is false for every other call.
func captureBy(to common.Address, data []byte) (c capture, ok bool) {
	if len(data) < leastData {
		return c, false
	}
	c = capture{token: to, terms: data[4 : 4+termsSize]}
	switch rest := data[4+termsSize:]; {
	case bytes.Equal(data[:4], receiveVRSSelector) && len(rest) >= 3*32:
		c.signature = slices.Concat(rest[32:96], rest[31:32])
	case bytes.Equal(data[:4], receiveSelector):
		values, err := tokencontract.ABI().Methods["receiveWithAuthorization"].Inputs.Unpack(data[4:])
		if err != nil {
			return c, false
		}
		c.signature, _ = values[6].([]byte)
	default:
		return c, false
	}
	return c, true
}

func (c capture) payer() common.Address { return common.BytesToAddress(c.terms[:32]) }

// settled reports whether one of the logs is about the use of the authorization.
func (c capture) settled(logs []*types.Log) bool {
	return slices.ContainsFunc(logs, func(log *types.Log) bool {
		return log.Address == c.token && len(log.Topics) == 3 && log.Topics[0] == tokencontract.AuthorizationUsedTopic &&
			log.Topics[1] == common.BytesToHash(c.payer().Bytes()) && bytes.Equal(log.Topics[2][:], c.terms[termsSize-32:])
	})
}

// isTransfer reports whether the payer signed the terms as TransferWithAuthorization, and not as
// ReceiveWithAuthorization, for the token's domain.
func (c capture) isTransfer(ctx context.Context, view chain.View) bool {
	separator, err := run(ctx, view, c.token, separatorSelector)
	if err != nil || len(separator) != 32 {
		return false
	}
	signed := func(m tokencontract.Message) bool {
		typehash := m.Typehash()
		return c.signed(ctx, view, crypto.Keccak256Hash([]byte{0x19, 0x01}, separator, crypto.Keccak256(typehash[:], c.terms)))
	}
	var a tokencontract.Authorization
	return signed(a.TransferMessage()) && !signed(a.ReceiveMessage())
}

// signed reports whether the signature of a digest is the payer's by the token's rules: an account with code is asked
// (ERC-1271).
func (c capture) signed(ctx context.Context, view chain.View, digest common.Hash) bool {
	payer := c.payer()
	if view.State.Load(payer) != nil {
		return false
	}
	if len(view.State.Code(payer)) == 0 {
		signature, err := tokencontract.ParseSignature(c.signature)
		if err != nil {
			return false
		}
		signer, err := signature.Recover(digest)
		return err == nil && signer == payer
	}
	offset, size := uint256.NewInt(64).Bytes32(), uint256.NewInt(uint64(len(c.signature))).Bytes32()
	data := slices.Concat(validSelector, digest[:], offset[:], size[:], c.signature, make([]byte, -len(c.signature)&31))
	answer, err := run(ctx, view, payer, data)
	return err == nil && len(answer) >= 32 && bytes.Equal(answer[:32], common.RightPadBytes(validSelector, 32))
}

// run returns the answer of a contract to a call.
func run(ctx context.Context, view chain.View, to common.Address, data []byte) ([]byte, error) {
	result, err := simulate.RunCall(ctx, view, simulate.Call{To: &to, Data: data}, nil, nil, simulate.Limits{})
	if err != nil {
		return nil, err
	}
	return result.ReturnData, result.Err
}
