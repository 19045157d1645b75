package eth_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts"
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

// Ensure messages are signed with the prefix of EIP-191, whichever way the parameters come.
func TestSignMessage(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	message := hexutil.Bytes("pay me")
	one := servertest.Fetch[hexutil.Bytes](n, "eth_sign", servertest.Bob.Address, message)
	two := servertest.Fetch[hexutil.Bytes](n, "personal_sign", message, servertest.Bob.Address)
	require.Equal(t, one, two)
	require.Equal(t, servertest.Bob.Address, servertest.Fetch[common.Address](n, "personal_ecRecover", message, one))
	require.NotEqual(t, servertest.Bob.Address, servertest.Fetch[common.Address](n, "personal_ecRecover", message[1:], one))
	n.Refuses(api.CodeInvalidParams, []string{"signature", "64 bytes, want 65"}, "personal_ecRecover", message, one[:64])
	n.Refuses(api.CodeInvalidParams, []string{"signature"}, "personal_ecRecover", message, make(hexutil.Bytes, 65))
	require.Equal(t, servertest.Bob.Address, recovered(t, accounts.TextHash(message), one))
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
