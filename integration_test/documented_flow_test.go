package integration_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// flowScripts run the documented flow (contract 4.2-read to 4.2-window), each with its library.
var flowScripts = map[string]string{"viem": "viem_flow.mjs", "ethers": "ethers_flow.mjs"}

// decimal is a number as the scripts print it.
type decimal = math.HexOrDecimal64

// flow holds the report of a flow script.
type flow struct {
	Domain struct {
		Name, Version     string
		ChainID           uint64
		VerifyingContract common.Address
	}
	Authorization struct {
		From, To                common.Address
		Value                   *uint256.Int
		ValidAfter, ValidBefore decimal
		Nonce                   common.Hash
	}
	Signatures struct{ Local, Node tokencontract.Signature }
	Before     struct {
		Used            bool
		Payer, Merchant *uint256.Int
	}
	Preconfirmed struct {
		Used      struct{ Pending, Latest bool }
		Status    string
		BlockHash common.Hash
		Logs      int
	}
	Sealed struct {
		Used            bool
		Status          string
		Payer, Merchant *uint256.Int
		Events          []flowEvent
	}
	Refusals map[string]refusal
}

type flowEvent struct {
	Name     string
	Args     map[string]string
	LogIndex int
}

// refusal reports how a capture failed: the library's reasons when it simulates and when it estimates, and the outcome
// of the transaction sent all the same.
type refusal struct {
	Simulated, Estimated string
	Status               string
	Logs                 int
	Used, Changed        bool
}

func refusedAs(reason string, used bool) refusal {
	return refusal{Simulated: reason, Estimated: reason, Status: "reverted", Used: used}
}

// Ensure the documented flow works with the libraries that merchants use, from reading the domain to the capture, and
// that every way a capture fails reaches them with its reason. On the strict token the payer signs a
// ReceiveWithAuthorization; on the documented variant the contract's primary type (2.7) works word for word.
func TestDocumentedFlowJavaScript(t *testing.T) {
	t.Parallel()
	for library, script := range flowScripts {
		for variant, primaryType := range map[tokencontract.Variant]string{
			tokencontract.Strict:         "ReceiveWithAuthorization",
			tokencontract.DocumentedFlow: "TransferWithAuthorization",
		} {
			t.Run(library+"/"+variant.String(), func(t *testing.T) {
				t.Parallel()
				node := fakenode.RunConfigT(t, fakenode.Config{Token: variant})
				payer, merchant := node.Account(0), node.Account(1)
				start, amount := node.Token().BalanceOf(payer.Address), fixtures.USD("25.00")

				got := runScript[flow](t, node, script, primaryType)

				domain := tokencontract.Domain{
					Name: got.Domain.Name, Version: got.Domain.Version,
					ChainID: got.Domain.ChainID, VerifyingContract: got.Domain.VerifyingContract,
				}
				require.Equal(t, node.Token().Domain(), domain)
				authorization := tokencontract.Authorization{
					From: got.Authorization.From, To: got.Authorization.To, Value: got.Authorization.Value,
					ValidAfter: uint64(got.Authorization.ValidAfter), ValidBefore: uint64(got.Authorization.ValidBefore),
					Nonce: got.Authorization.Nonce,
				}
				require.Equal(t, payer.Address, authorization.From)
				require.Equal(t, merchant.Address, authorization.To)
				require.Equal(t, amount, authorization.Value)
				require.Equal(t, uint64((fixtures.ValidSince + fixtures.ValidFor).Seconds()), authorization.ValidBefore-authorization.ValidAfter)

				message := authorization.ReceiveMessage()
				if variant == tokencontract.DocumentedFlow {
					message = authorization.TransferMessage()
				}
				want := payer.Sign(domain, message)
				require.Equal(t, want, got.Signatures.Local)
				require.Equal(t, want, got.Signatures.Node)

				require.False(t, got.Before.Used)
				require.Equal(t, start, got.Before.Payer)
				require.Equal(t, start, got.Before.Merchant)

				require.True(t, got.Preconfirmed.Used.Pending)
				require.False(t, got.Preconfirmed.Used.Latest)
				require.Equal(t, "success", got.Preconfirmed.Status)
				require.Zero(t, got.Preconfirmed.BlockHash)
				require.Equal(t, 2, got.Preconfirmed.Logs)

				require.True(t, got.Sealed.Used)
				require.Equal(t, "success", got.Sealed.Status)
				require.Equal(t, new(uint256.Int).Sub(start, amount), got.Sealed.Payer)
				require.Equal(t, new(uint256.Int).Add(start, amount), got.Sealed.Merchant)
				require.Equal(t, []flowEvent{
					{"AuthorizationUsed", map[string]string{"authorizer": payer.Address.Hex(), "nonce": authorization.Nonce.Hex()}, 0},
					{"Transfer", map[string]string{"from": payer.Address.Hex(), "to": merchant.Address.Hex(), "value": amount.Dec()}, 1},
				}, got.Sealed.Events)

				require.Equal(t, map[string]refusal{
					"too early":    refusedAs("FiatTokenV2: authorization is not yet valid", false),
					"too late":     refusedAs("FiatTokenV2: authorization is expired", false),
					"wrong caller": refusedAs("FiatTokenV2: caller must be the payee", false),
					"low balance":  refusedAs("ERC20: transfer amount exceeds balance", false),
					"paused":       refusedAs("Pausable: paused", false),
					"blacklisted":  refusedAs("Blacklistable: account is blacklisted", false),
					"tampered":     refusedAs("FiatTokenV2: invalid signature", false),
					"cancelled":    refusedAs("FiatTokenV2: authorization is used or canceled", true),
				}, got.Refusals)
				require.True(t, node.Token().AuthorizationState(payer.Address, authorization.Nonce))
			})
		}
	}
}

// Ensure the token that behaves as the real one rejects the contract's primary type for a capture, and reports why.
func TestDocumentedFlowStrictJavaScript(t *testing.T) {
	t.Parallel()
	for library, script := range flowScripts {
		t.Run(library, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunConfigT(t, fakenode.Config{Token: fakenode.Strict})
			got := runScript[flow](t, node, script, "TransferWithAuthorization", "refused-only")
			require.Equal(t, map[string]refusal{"plain": refusedAs("FiatTokenV2: invalid signature", false)}, got.Refusals)
		})
	}
}
