package eth_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

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
