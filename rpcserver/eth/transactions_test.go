package eth_test

import (
	"cmp"
	"crypto/ecdsa"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
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
	object := `{"from": "` + servertest.Alice.Address.Hex() + `", "to": "` + servertest.Bob.Address.Hex() + `", "gas": "0x15f90"`
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
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
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
		filled := servertest.Fetch[filledIn](n, "eth_fillTransaction", object)
		require.EqualValues(t, tc.want, filled.Tx.Type, object)
		require.Equal(t, tc.want < 2, filled.Tx.GasPrice != nil, object)
		if tc.members == listed {
			require.Len(t, *filled.Tx.AccessList, 1, object)
		}
	}
}

// Ensure a type that the other members contradict is rejected, as is one that there is not: by every method that
// makes a transaction.
func TestRefusedType(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	for _, tc := range []struct{ kind, members, want string }{
		{"0x0", listed, "type 0 has no accessList"},
		{"0x0", capped, "type 0 has a gasPrice"}, {"0x1", `"maxPriorityFeePerGas": "0x1"`, "type 1 has a gasPrice"},
		{"0x2", priced, "not a gasPrice"}, {"0x3", priced + "," + blobbed, "not a gasPrice"}, {"0x4", priced + "," + authorized, "not a gasPrice"},
		{"0x3", "", "blobVersionedHashes"}, {"0x2", blobbed, "blobVersionedHashes"},
		{"0x4", "", "authorizationList false"}, {"0x1", authorized, "authorizationList true"},
		{"0x5", "", "no transaction type 5"}, {"0xffffffffffffffff", "", "no transaction type 18446744073709551615"},
	} {
		for _, method := range []string{"eth_fillTransaction", "eth_signTransaction", "eth_sendTransaction", "eth_sendUnsignedTransaction"} {
			n.Refuses(api.CodeInvalidParams, []string{method, tc.want}, method, ofType(tc.kind, tc.members))
		}
	}
	require.Zero(t, n.Timeline.Moment().PoolSize())
}

// Ensure the geth profile ignores the type, as geth does: an access list stays with the transaction.
func TestGethIgnoresType(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{Behaviour: persona.Geth.Wire}})
	for _, kind := range []string{"", "0x0", "0x1", "0x2", "0x9"} {
		filled := servertest.Fetch[filledIn](n, "eth_fillTransaction", ofType(kind, listed))
		require.EqualValues(t, types.DynamicFeeTxType, filled.Tx.Type, kind)
		require.Len(t, *filled.Tx.AccessList, 1, kind)
	}
	require.Zero(t, servertest.Fetch[filledIn](n, "eth_fillTransaction", ofType("0x2", priced)).Tx.Type)
}

// Ensure a stranger's transaction is rejected when its fee could be above the cap: an ether in the geth profile and
// none in the other, unless the limit says otherwise. The node's own accounts have none.
func TestFeeCap(t *testing.T) {
	t.Parallel()
	key, err := crypto.ToECDSA(common.LeftPadBytes([]byte{7}, 32))
	require.NoError(t, err)
	stranger := crypto.PubkeyToAddress(key.PublicKey)
	for name, tc := range map[string]struct {
		profile api.Behaviour
		limit   *uint256.Int
		ether   float64 // 0: no cap
	}{
		"geth":            {persona.Geth.Wire, persona.Geth.Limits.FeeCap, 1},
		"geth, 2 ether":   {persona.Geth.Wire, uint256.NewInt(2 * params.Ether), 2},
		"geth, no limit":  {persona.Geth.Wire, new(uint256.Int), 0},
		"spec":            {api.Behaviour{}, nil, 0},
		"spec, 0.5 ether": {api.Behaviour{}, uint256.NewInt(params.Ether / 2), 0.5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{Behaviour: tc.profile}, Limits: api.Limits{FeeCap: tc.limit}})
			n.Do("anvil_setBalance", stranger, "0x8ac7230489e80000") // 10 ether
			const gas = 100_000
			signed := func(key *ecdsa.PrivateKey, nonce uint64, limit *big.Int) hexutil.Bytes {
				tx, err := types.SignNewTx(key, types.LatestSigner(servertest.Genesis().Config), &types.DynamicFeeTx{
					ChainID: servertest.Genesis().Config.ChainID, Nonce: nonce, Gas: gas, GasTipCap: big.NewInt(params.GWei), GasFeeCap: limit, To: &servertest.Bob.Address,
				})
				require.NoError(t, err)
				return servertest.Raw(t, tx)
			}
			most := big.NewInt(int64(cmp.Or(tc.ether, 3) * params.Ether / gas))
			over := new(big.Int).Add(most, big.NewInt(1))
			n.Do("eth_sendRawTransaction", signed(key, 0, most))
			n.Do("eth_sendRawTransaction", signed(servertest.Alice.Key, 0, over))
			n.Do("eth_sendTransaction", map[string]any{"from": servertest.Bob.Address, "to": servertest.Bob.Address, "gas": hexutil.Uint64(gas), "gasPrice": hexutil.Big(*over)})
			n.Do("anvil_impersonateAccount", stranger)
			object := map[string]any{"from": stranger, "to": servertest.Bob.Address, "gas": hexutil.Uint64(gas), "gasPrice": hexutil.Big(*over)}
			if tc.ether == 0 {
				n.Do("eth_sendRawTransaction", signed(key, 1, over))
				n.Do("eth_sendTransaction", object)
				return
			}
			cap := big.NewInt(int64(tc.ether * params.Ether)).String()
			n.Refuses(api.CodeServer, []string{"exceeds the configured cap", cap}, "eth_sendRawTransaction", signed(key, 1, over))
			n.Refuses(api.CodeServer, []string{"exceeds the configured cap", cap}, "eth_sendTransaction", object)
		})
	}
}
