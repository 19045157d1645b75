package rpcserver

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
)

// Members of a call object that ask for a transaction type, or rule it out.
const (
	listed     = `"accessList": [{"address": "0x00000000000000000000000000000000000000aa", "storageKeys": []}]`
	priced     = `"gasPrice": "0x77359400"`
	capped     = `"maxFeePerGas": "0x77359400"`
	authorized = `"authorizationList": [{"chainId": "0x1", "address": "0x00000000000000000000000000000000000000aa", "nonce": "0x0", "yParity": "0x0", "r": "0x1", "s": "0x1"}]`
	blobbed    = `"blobVersionedHashes": ["0x0100000000000000000000000000000000000000000000000000000000000001"]`
)

// ofType is a call object of the sender with a type.
func ofType(kind, members string) rawObject {
	object := `{"from": "` + alice.Address.Hex() + `", "to": "` + bob.Address.Hex() + `", "gas": "0x15f90"`
	if kind != "" {
		object += `, "type": "` + kind + `"`
	}
	if members != "" {
		object += ", " + members
	}
	return rawObject(object + "}")
}

// rawObject is a parameter as it goes over the wire.
type rawObject string

// MarshalJSON implements json.Marshaler.
func (r rawObject) MarshalJSON() ([]byte, error) { return []byte(r), nil }

// filledIn is a filled transaction that nobody signed.
type filledIn struct {
	Tx struct {
		Type       hexutil.Uint64
		AccessList *types.AccessList
		GasPrice   *hexutil.Big
	}
}

// Ensure a transaction is of the type that was asked for.
func TestFillNamedType(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	for _, tc := range []struct {
		kind, members string
		want          uint64
	}{
		{"", "", 2}, {"", priced, 0}, {"", listed, 2}, {"", priced + "," + listed, 1},
		{"0x0", "", 0}, {"0x0", priced, 0}, {"0x0", `"accessList": []`, 0},
		{"0x1", "", 1}, {"0x1", priced, 1}, {"0x1", listed, 1},
		{"0x2", "", 2}, {"0x2", capped, 2}, {"0x2", listed, 2}, {"0x3", blobbed, 3}, {"0x4", authorized, 4},
	} {
		object := ofType(tc.kind, tc.members)
		filled := fetch[filledIn](n, "eth_fillTransaction", object)
		require.EqualValues(t, tc.want, filled.Tx.Type, object)
		require.Equal(t, tc.want < 2, filled.Tx.GasPrice != nil, object)
		if tc.members == listed {
			require.Len(t, *filled.Tx.AccessList, 1, object)
		}
	}
}

// Ensure a type that the other members contradict is refused, as is one that there is not: by every method that
// makes a transaction.
func TestRefusedType(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	for _, tc := range []struct{ kind, members, want string }{
		{"0x0", listed, "type 0 has no accessList"},
		{"0x0", capped, "type 0 has a gasPrice"}, {"0x1", `"maxPriorityFeePerGas": "0x1"`, "type 1 has a gasPrice"},
		{"0x2", priced, "not a gasPrice"}, {"0x3", priced + "," + blobbed, "not a gasPrice"}, {"0x4", priced + "," + authorized, "not a gasPrice"},
		{"0x3", "", "blobVersionedHashes"}, {"0x2", blobbed, "blobVersionedHashes"},
		{"0x4", "", "authorizationList"}, {"0x1", authorized, "authorizationList"},
		{"0x5", "", "no transaction type 5"}, {"0xffffffffffffffff", "", "no transaction type 18446744073709551615"},
	} {
		for _, method := range []string{"eth_fillTransaction", "eth_signTransaction", "eth_sendTransaction", "eth_sendUnsignedTransaction"} {
			n.refuses(codeInvalidParams, []string{method, tc.want}, method, ofType(tc.kind, tc.members))
		}
	}
	require.Zero(t, n.timeline.Moment().PoolSize())
}

// Ensure the geth profile heeds no type, as geth does not: an access list stays with the transaction.
func TestGethIgnoresType(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{Main: &Network{Profile: Geth}})
	for _, kind := range []string{"", "0x0", "0x1", "0x2", "0x9"} {
		filled := fetch[filledIn](n, "eth_fillTransaction", ofType(kind, listed))
		require.EqualValues(t, types.DynamicFeeTxType, filled.Tx.Type, kind)
		require.Len(t, *filled.Tx.AccessList, 1, kind)
	}
	require.Zero(t, fetch[filledIn](n, "eth_fillTransaction", ofType("0x2", priced)).Tx.Type)
}

// Ensure the geth profile takes no transaction whose fee could be over an ether; the other profile does.
func TestFeeCap(t *testing.T) {
	t.Parallel()
	for _, profile := range []Profile{Geth, Spec} {
		n := newNetwork(t, preconf.Config{}, Config{Main: &Network{Profile: profile}})
		nonce := uint64(0)
		send := func(limit *big.Int) hexutil.Bytes {
			tx, err := types.SignNewTx(alice.Key, types.LatestSigner(networkGenesis().Config), &types.DynamicFeeTx{
				ChainID: networkGenesis().Config.ChainID, Nonce: nonce, Gas: 100_000, GasTipCap: big.NewInt(params.GWei), GasFeeCap: limit, To: &bob.Address,
			})
			require.NoError(t, err)
			return raw(t, tx)
		}
		ether := big.NewInt(params.Ether / 100_000)
		n.do("eth_sendRawTransaction", send(ether))
		nonce++
		over := send(new(big.Int).Add(ether, big.NewInt(1)))
		object := map[string]any{"from": bob.Address, "to": bob.Address, "gas": "0x5208", "gasPrice": hexutil.Uint64(params.Ether / 20_000)}
		if profile == Geth {
			n.refuses(codeServer, []string{"1 ether"}, "eth_sendRawTransaction", over)
			n.refuses(codeServer, []string{"1 ether"}, "eth_sendTransaction", object)
			n.refuses(codeServer, []string{"1 ether"}, "eth_signTransaction", object)
			continue
		}
		n.do("eth_sendRawTransaction", over)
		n.do("eth_sendTransaction", object)
	}
}
