package eth_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// recovered returns the account that made a signature of a digest.
func recovered(t *testing.T, digest []byte, signature hexutil.Bytes) common.Address {
	t.Helper()
	require.Len(t, signature, crypto.SignatureLength)
	require.Contains(t, []byte{27, 28}, signature[64])
	signature[64] -= 27
	key, err := crypto.SigToPub(digest, signature)
	require.NoError(t, err)
	return crypto.PubkeyToAddress(*key)
}

// The example of EIP-712, on the test's chain in place of chain 1.
const mail = `{
	"types": {
		"EIP712Domain": [{"name": "name", "type": "string"}, {"name": "version", "type": "string"},
			{"name": "chainId", "type": "uint256"}, {"name": "verifyingContract", "type": "address"}],
		"Person": [{"name": "name", "type": "string"}, {"name": "wallet", "type": "address"}],
		"Mail": [{"name": "from", "type": "Person"}, {"name": "to", "type": "Person"}, {"name": "contents", "type": "string"}]
	},
	"primaryType": "Mail",
	"domain": {"name": "Ether Mail", "version": "1", "chainId": 31337, "verifyingContract": "0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC"},
	"message": {"from": {"name": "Cow", "wallet": "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"},
		"to": {"name": "Bob", "wallet": "0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"}, "contents": "Hello, Bob!"}
}`

// Ensure typed data is hashed as EIP-712's own example, given as an object and as a string.
func TestSignTypedData(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	var typed apitypes.TypedData
	require.NoError(t, json.Unmarshal([]byte(mail), &typed))
	digest, _, err := apitypes.TypedDataAndHash(typed)
	require.NoError(t, err)
	for _, data := range []any{json.RawMessage(mail), mail} {
		for _, method := range []string{"eth_signTypedData", "eth_signTypedData_v4"} {
			signature := servertest.Fetch[hexutil.Bytes](n, method, servertest.Alice.Address, data)
			require.Equal(t, servertest.Alice.Address, recovered(t, digest, signature))
		}
	}
}

// Ensure the domain of another chain is refused as MetaMask refuses it, however its id is written, and members given
// twice are, in an object and in a string.
func TestSignTypedDataOfAnotherChain(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	with := func(chainID string) string { return strings.Replace(mail, "31337", chainID, 1) }
	for given, shown := range map[string]string{`1`: "1", `"1"`: "1", `"0x1"`: "1", `0`: "0"} {
		failure := n.Fails(-32603, "eth_signTypedData_v4", servertest.Alice.Address, json.RawMessage(with(given)))
		require.Equal(t, `Provided chainId "`+shown+`" must match the active chainId "31337"`, failure.Message)
	}
	for _, given := range []string{`31337`, `"31337"`, `"0x7a69"`} {
		n.Do("eth_signTypedData_v4", servertest.Alice.Address, with(given))
	}
	twice := with(`31337, "chainId": 31337`)
	for _, data := range []any{json.RawMessage(twice), twice} {
		n.Refuses(api.CodeInvalidParams, []string{`domain: member "chainId" is given twice`}, "eth_signTypedData_v4", servertest.Alice.Address, data)
	}
}

// Ensure the node signs and sends for the token's owner, whose key the banner prints, without listing it.
func TestTokenOwnerSigns(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	owner := paytoken.Owner.Address
	message := hexutil.Bytes("pay me")
	require.Equal(t, owner, servertest.Fetch[common.Address](n, "personal_ecRecover", message, servertest.Fetch[hexutil.Bytes](n, "eth_sign", owner, message)))
	n.Do("anvil_setBalance", owner, "0xde0b6b3a7640000")
	servertest.Fetch[common.Hash](n, "eth_sendTransaction", map[string]any{"from": owner, "to": servertest.Bob.Address, "value": "0x1"})
	require.NotContains(t, servertest.Fetch[[]common.Address](n, "eth_accounts"), owner)
}

// Ensure all ways to write a number mean the same number, beyond the range of a float64.
func TestSignTypedDataNumbers(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	sign := func(value string) hexutil.Bytes {
		data := `{"types": {"EIP712Domain": [{"name": "name", "type": "string"}],
			"Amount": [{"name": "value", "type": "uint256"}, {"name": "parts", "type": "uint64[]"}]},
			"primaryType": "Amount", "domain": {"name": "x"}, "message": {"value": ` + value + `, "parts": [` + value + `]}}`
		return servertest.Fetch[hexutil.Bytes](n, "eth_signTypedData_v4", servertest.Alice.Address, json.RawMessage(data))
	}
	plain := sign(`9007199254740993`)
	require.Equal(t, plain, sign(`"9007199254740993"`))
	require.Equal(t, plain, sign(`"0x20000000000001"`))
	require.NotEqual(t, plain, sign(`9007199254740992`))
}

// The parts of typed data that the tests vary.
const (
	ownDomainType = `"EIP712Domain": [{"name": "name", "type": "string"}, {"name": "chainId", "type": "uint256"}], `
	pairTypes     = `"Pair": [{"name": "of", "type": "Item[2]"}], "Item": [{"name": "parts", "type": "uint8[2][]"}]`
	shopDomain    = `"name": "Shop", "chainId": 31337`
	pairs         = `{"parts": [[1, 2]]}, {"parts": []}`
)

// Ensure undeclared members are not signed and not rejected, because libraries send them, and that the domain's type
// may be left out.
func TestSignTypedDataUndeclared(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	sign := func(types, domain, message string) hexutil.Bytes {
		t.Helper()
		return servertest.Fetch[hexutil.Bytes](n, "eth_signTypedData_v4", servertest.Alice.Address, json.RawMessage(
			`{"types": {`+types+`}, "primaryType": "Pair", "domain": {`+domain+`}, "message": {`+message+`}}`))
	}
	want := sign(ownDomainType+pairTypes, shopDomain, `"of": [`+pairs+`]`)
	require.Equal(t, want, sign(pairTypes, shopDomain, `"of": [`+pairs+`]`), "no type of the domain")
	require.Equal(t, want, sign(ownDomainType+pairTypes, shopDomain+`, "version": "2", "shop": {}`, `"of": [`+pairs+`]`), "more in the domain")
	require.Equal(t, want, sign(ownDomainType+pairTypes, shopDomain, `"note": {"a": [null]}, "of": [`+pairs+`]`), "more in the message")
	require.Equal(t, want, sign(ownDomainType+pairTypes, shopDomain, `"of": [{"note": 1, "parts": [[1, 2]]}, {"parts": []}]`), "more inside")
	require.NotEqual(t, want, sign(pairTypes, shopDomain+`, "version": "2"`, `"of": [`+pairs+`]`), "a domain with a version")
}

// Ensure typed data without any domain is signed for the empty one.
func TestSignTypedDataEmptyDomain(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	separator := crypto.Keccak256(crypto.Keccak256([]byte("EIP712Domain()")))
	message := crypto.Keccak256(crypto.Keccak256([]byte("Nothing()")))
	digest := crypto.Keccak256([]byte{0x19, 0x01}, separator, message)
	for _, types := range []string{`"EIP712Domain": [], `, ``} {
		signature := servertest.Fetch[hexutil.Bytes](n, "eth_signTypedData_v4", servertest.Alice.Address, json.RawMessage(
			`{"types": {`+types+`"Nothing": []}, "primaryType": "Nothing", "domain": {}, "message": {}}`))
		require.Equal(t, servertest.Alice.Address, recovered(t, digest, signature))
	}
	alone := servertest.Fetch[hexutil.Bytes](n, "eth_signTypedData_v4", servertest.Alice.Address, json.RawMessage(
		`{"types": {"EIP712Domain": []}, "primaryType": "EIP712Domain", "domain": {}, "message": {}}`))
	require.Equal(t, servertest.Alice.Address, recovered(t, crypto.Keccak256([]byte{0x19, 0x01}, separator), alone), "the domain is the message")
}

// Ensure typed data without a declared member is not signed.
func TestSignTypedDataRefused(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	for _, tc := range []struct{ primary, domain, message, want string }{
		{"Pair", shopDomain, `"of": [{"parts": []}]`, "of: 1 items, want 2"},
		{"Pair", shopDomain, `"of": [{"parts": [[1]]}, {"parts": []}]`, "of: item 0: parts: item 0: 1 items, want 2"},
		{"Pair", shopDomain, `"of": [{"parts": [[1, [2]]]}, {"parts": []}]`, "of: item 0: parts: item 0: item 1: want a value of type uint8"},
		{"Pair", shopDomain, `"of": [{"parts": [[1, null]]}, {"parts": []}]`, "of: item 0: parts: item 0: item 1: want a value of type uint8"},
		{"Pair", shopDomain, `"of": [{}, {"parts": []}]`, "of: item 0: parts: want an array of uint8[2]"},
		{"Pair", shopDomain, `"of": [1, {"parts": []}]`, "of: item 0: want a value of type Item"},
		{"Pair", shopDomain, ``, "of: want an array of Item"},
		{"Pair", `"name": "Shop"`, `"of": [` + pairs + `]`, "domain: chainId: want a value of type uint256"},
		{"Pair", `"name": 5, "chainId": 31337`, `"of": [` + pairs + `]`, "domain: name: want a value of type string, have the number 5"},
		{"Pairs", shopDomain, `"of": [` + pairs + `]`, "type Pairs is not declared"},
	} {
		failure := n.Fails(-32602, "eth_signTypedData_v4", servertest.Alice.Address, json.RawMessage(
			`{"types": {`+ownDomainType+pairTypes+`}, "primaryType": "`+tc.primary+`", "domain": {`+tc.domain+`}, "message": {`+tc.message+`}}`))
		require.Equal(t, "invalid argument 1 (typed data) of eth_signTypedData_v4: "+tc.want, failure.Message)
	}
}

// Ensure a value that no contract could hold in the type declared is not signed; one that just fits is.
func TestSignTypedDataRange(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	typed := func(kind, value string) json.RawMessage {
		return json.RawMessage(`{"types": {"EIP712Domain": [], "Box": [{"name": "v", "type": "` + kind + `"}]}, "primaryType": "Box", "domain": {},
			"message": {"v": ` + value + `}}`)
	}
	top := new(big.Int).Lsh(common.Big1, 255).String() // 2^255
	for _, fitting := range [][2]string{
		{"int8", "127"}, {"int8", "-128"}, {"int256", `"-` + top + `"`}, {"uint256", `"` + top + `"`}, {"uint8", `"0xff"`}, {"int", "-1"},
		{"int16", `"-0x10"`}, {"string", `"5"`}, {"string", `""`},
	} {
		n.Do("eth_signTypedData_v4", servertest.Alice.Address, typed(fitting[0], fitting[1]))
	}
	for _, tc := range []struct{ kind, value, want string }{
		{"int8", "128", "v: 128 does not fit int8"},
		{"int8", "-129", "v: -129 does not fit int8"},
		{"int256", `"` + top + `"`, "v: " + top + " does not fit int256"},
		{"int256", top, "v: " + top + " does not fit int256"},
		{"int", top, "v: " + top + " does not fit int"},
		{"uint8", "256", "v: 256 does not fit uint8"},
		{"uint8", "-1", "v: -1 does not fit uint8"},
		{"uint256", `""`, `v: "" is not a whole number`},
		{"uint256", `"0x"`, `v: "0x" is not a whole number`},
		{"uint256", `"+1"`, `v: "+1" is not a whole number`},
		{"uint256", "1.5", `v: "1.5" is not a whole number`},
		{"uint256", "true", "v: want a value of type uint256"},
		{"string", "5", "v: want a value of type string, have the number 5"},
		{"address", "5", "v: want a value of type address, have the number 5"},
		{"uint7", "5", `reference type "uint7" is undefined`},
		{"Crate", `"5"`, `reference type "Crate" is undefined`},
	} {
		failure := n.Fails(api.CodeInvalidParams, "eth_signTypedData_v4", servertest.Alice.Address, typed(tc.kind, tc.value))
		require.Equal(t, "invalid argument 1 (typed data) of eth_signTypedData_v4: "+tc.want, failure.Message)
	}
	n.Do("eth_signTypedData_v4", servertest.Alice.Address, string(typed("uint8", "1"))+" ")
	for _, tail := range []string{"trailing }{", "{}", "}", "1"} {
		n.Fails(api.CodeInvalidParams, "eth_signTypedData_v4", servertest.Alice.Address, string(typed("uint8", "1"))+" "+tail)
	}
}

// chained returns typed data of so many structures within one another.
func chained(depth int) json.RawMessage {
	types := map[string]any{"EIP712Domain": []any{}}
	field := func(kind string) []map[string]string { return []map[string]string{{"name": "x", "type": kind}} }
	var value any = 1
	for i := range depth {
		types[fmt.Sprintf("T%d", i)] = field(fmt.Sprintf("T%d", i+1))
		value = map[string]any{"x": value}
	}
	types[fmt.Sprintf("T%d", depth)] = field("uint256")
	data, _ := json.Marshal(map[string]any{"types": types, "primaryType": "T0", "domain": map[string]any{}, "message": map[string]any{"x": value}})
	return data
}

// Ensure typed data that no wallet shows is refused by the name of what is too much, and that a chain of types within
// the limits is hashed as go-ethereum hashes it.
func TestSignTypedDataHasBounds(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	sign := func(data json.RawMessage) hexutil.Bytes {
		return servertest.Fetch[hexutil.Bytes](n, "eth_signTypedData_v4", servertest.Alice.Address, data)
	}
	var typed apitypes.TypedData
	require.NoError(t, json.Unmarshal(chained(12), &typed))
	hash, err := (&apitypes.TypedData{Types: typed.Types, Domain: apitypes.TypedDataDomain{Name: "x"}}).HashStruct("T0", typed.Message)
	require.NoError(t, err)
	separator := crypto.Keccak256(crypto.Keccak256([]byte("EIP712Domain()")))
	digest := crypto.Keccak256([]byte{0x19, 0x01}, separator, hash)
	require.Equal(t, servertest.Alice.Address, recovered(t, digest, sign(chained(12))))

	message := func(kind, value string) json.RawMessage {
		return json.RawMessage(`{"types": {"Box": [{"name": "v", "type": "` + kind + `"}]}, "primaryType": "Box", "domain": {}, "message": {"v": ` + value + `}}`)
	}
	items := strings.Repeat("0,", 100_000) + "0"
	brackets := strings.Repeat("[", 65) + strings.Repeat("]", 65)
	for want, data := range map[string]json.RawMessage{
		"102 types, the limit is 100":                   chained(100),
		"more than 64 structures and arrays within":     chained(64),
		"more than 64 structures":                       message("uint8"+strings.Repeat("[]", 65), brackets),
		"more than 100000 values":                       message("uint8[]", "["+items+"]"),
		"bytes, the limit is 1048576":                   message("string", `"`+strings.Repeat("a", 1<<20)+`"`),
		`type "Box" declares "v" twice`:                 json.RawMessage(`{"types": {"Box": [{"name": "v", "type": "bool"}, {"name": "v", "type": "bool"}]}, "primaryType": "Box", "domain": {}, "message": {"v": true}}`),
		`member 0 of type "Box" has no name or no type`: message("", "1"),
	} {
		n.Refuses(api.CodeInvalidParams, []string{want}, "eth_signTypedData_v4", servertest.Alice.Address, data)
	}
	sign(message("uint8[][]", "[["+items[:99_999]+"], []]"))
}
