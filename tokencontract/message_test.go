package tokencontract_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// randomMessages returns one message of each primary type with random fields.
func randomMessages(r *rand.Rand) []tokencontract.Message {
	number := func() *uint256.Int { n := uint256.Int{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}; return &n }
	hash := func() common.Hash { return number().Bytes32() }
	address := func() common.Address { return number().Bytes20() }
	a := tokencontract.Authorization{From: address(), To: address(), Value: number(), ValidAfter: r.Uint64(), ValidBefore: r.Uint64(), Nonce: hash()}
	return []tokencontract.Message{
		a.TransferMessage(),
		a.ReceiveMessage(),
		tokencontract.Cancellation{Authorizer: address(), Nonce: hash()}.Message(),
		tokencontract.Permit{Owner: address(), Spender: address(), Value: number(), Nonce: r.Uint64(), Deadline: number()}.Message(),
		tokencontract.Permit{}.Message(),
		tokencontract.Authorization{}.ReceiveMessage(),
	}
}

// Ensure digests equal go-ethereum's for the typed data that a wallet gets.
func TestDigestMatchesTypedData(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		domain := tokencontract.Domain{Name: "USD Coin", Version: "2", ChainID: r.Uint64(), VerifyingContract: common.Address{byte(r.Uint32())}}
		for _, m := range randomMessages(r) {
			text, err := json.Marshal(m.TypedData(domain))
			require.NoError(t, err)
			var typed apitypes.TypedData
			require.NoError(t, json.Unmarshal(text, &typed))
			hash, _, err := apitypes.TypedDataAndHash(typed)
			require.NoError(t, err)
			require.Equal(t, m.Digest(domain).Bytes(), hash, m.PrimaryType())
			separator, err := typed.HashStruct("EIP712Domain", typed.Domain.Map())
			require.NoError(t, err)
			require.Equal(t, domain.Separator().Bytes(), []byte(separator))
			require.Equal(t, m.Typehash().Bytes(), []byte(typed.TypeHash(m.PrimaryType())))
		}
	}
}

// Ensure the JSON of typed data holds the members that are signed and no others: libraries reject an empty salt.
func TestTypedDataJSON(t *testing.T) {
	t.Parallel()
	cancellation := tokencontract.Cancellation{Authorizer: common.Address{1}, Nonce: common.Hash{2}}
	text, err := json.Marshal(cancellation.Message().TypedData(tokencontract.Domain{
		Name: "USD Coin", Version: "2", ChainID: 8453, VerifyingContract: common.Address{3},
	}))
	require.NoError(t, err)
	require.JSONEq(t, `{
		"types": {
			"EIP712Domain": [{"name": "name", "type": "string"}, {"name": "version", "type": "string"},
				{"name": "chainId", "type": "uint256"}, {"name": "verifyingContract", "type": "address"}],
			"CancelAuthorization": [{"name": "authorizer", "type": "address"}, {"name": "nonce", "type": "bytes32"}]
		},
		"primaryType": "CancelAuthorization",
		"domain": {"name": "USD Coin", "version": "2", "chainId": 8453, "verifyingContract": "0x0300000000000000000000000000000000000000"},
		"message": {"authorizer": "0x0100000000000000000000000000000000000000",
			"nonce": "0x0200000000000000000000000000000000000000000000000000000000000000"}
	}`, string(text))
}

// Ensure separators equal the answers of Base's USDC on both networks.
func TestSeparatorOfRealTokens(t *testing.T) {
	t.Parallel()
	for want, d := range map[string]tokencontract.Domain{
		"0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f": {
			Name: tokencontract.MainnetName, Version: tokencontract.Version, ChainID: 8453, VerifyingContract: tokencontract.MainnetAddress,
		},
		"0x71f17a3b2ff373b803d70a5a07c046c1a2bc8e89c09ef722fcb047abe94c9818": {
			Name: tokencontract.TestnetName, Version: tokencontract.Version, ChainID: 84532, VerifyingContract: tokencontract.TestnetAddress,
		},
	} {
		require.Equal(t, want, d.Separator().Hex())
	}
}

func TestSignatureText(t *testing.T) {
	t.Parallel()
	signature := payer.SignDigest(common.Hash{1})
	text, err := json.Marshal(signature)
	require.NoError(t, err)
	var back tokencontract.Signature
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, signature, back)
	require.Error(t, json.Unmarshal([]byte(`"0x00"`), &back))

	parsed, err := tokencontract.ParseSignature(signature.Bytes())
	require.NoError(t, err)
	require.Equal(t, signature, parsed)
	require.Equal(t, signature[:], append(append(signature.R().Bytes(), signature.S().Bytes()...), signature.V()))
}

func TestNonces(t *testing.T) {
	t.Parallel()
	require.NotEqual(t, tokencontract.NewNonce(), tokencontract.NewNonce())
	require.Equal(t, tokencontract.NonceFromSeed("order 1"), tokencontract.NonceFromSeed("order 1"))
	require.NotEqual(t, tokencontract.NonceFromSeed("order 1"), tokencontract.NonceFromSeed("order 2"))
}

func BenchmarkSign(b *testing.B) {
	domain := testDomain(common.Address{1})
	m := fixtures.Authorization(payer, merchant, uint256.NewInt(1), testTime).ReceiveMessage()
	for b.Loop() {
		if _, err := m.Sign(domain, payer.Key); err != nil {
			b.Fatal(err)
		}
	}
}

// Ensure decoders take their own event only: another token's look-alikes and short logs are refused, not misread.
func TestDecodersRefuseOtherLogs(t *testing.T) {
	t.Parallel()
	word := make([]byte, 32)
	topic := tokencontract.TransferTopic
	for name, log := range map[string]types.Log{
		"no topics":             {},
		"another event":         {Topics: []common.Hash{{1}, {}, {}}, Data: word},
		"NFT transfer":          {Topics: []common.Hash{topic, {}, {}, {}}},
		"not indexed":           {Topics: []common.Hash{topic}, Data: make([]byte, 96)},
		"no data":               {Topics: []common.Hash{topic, {}, {}}},
		"authorization, data":   {Topics: []common.Hash{tokencontract.AuthorizationUsedTopic, {}, {}}, Data: word},
		"authorization, 1 less": {Topics: []common.Hash{tokencontract.AuthorizationCanceledTopic, {}}},
	} {
		_, err := tokencontract.DecodeTransfer(log)
		require.ErrorIs(t, err, tokencontract.ErrOtherEvent, name)
		_, err = tokencontract.DecodeAuthorizationUsed(log)
		require.ErrorIs(t, err, tokencontract.ErrOtherEvent, name)
		_, err = tokencontract.DecodeAuthorizationCanceled(log)
		require.ErrorIs(t, err, tokencontract.ErrOtherEvent, name)
	}
}

func TestDecodeTransfer(t *testing.T) {
	t.Parallel()
	amount := fixtures.USD("25.00").Bytes32()
	got, err := tokencontract.DecodeTransfer(types.Log{
		Topics: []common.Hash{tokencontract.TransferTopic, common.BytesToHash(payer.Address[:]), common.BytesToHash(merchant.Address[:])},
		Data:   amount[:],
	})
	require.NoError(t, err)
	require.Equal(t, tokencontract.Transfer{From: payer.Address, To: merchant.Address, Value: fixtures.USD("25.00")}, got)
}
