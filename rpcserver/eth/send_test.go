package eth_test

import (
	"cmp"
	"crypto/ecdsa"
	"math/big"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/crypto/kzg4844"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure concurrent sends from one account all succeed, each with a nonce of its own, in every seal mode.
func TestConcurrentSends(t *testing.T) {
	t.Parallel()
	for _, mode := range []control.Mode{control.Manual, control.Instant} {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			n := servertest.New(t, preconf.Config{Mode: mode}, rpcserver.Config{})
			const senders, each = 8, 10
			var sending sync.WaitGroup
			for range senders {
				sending.Go(func() {
					for range each {
						var hash common.Hash
						err := n.Eth.Client().CallContext(t.Context(), &hash, "eth_sendTransaction",
							map[string]any{"from": servertest.Alice.Address, "to": servertest.Bob.Address, "value": "0x1"})
						require.NoError(t, err)
					}
				})
			}
			sending.Wait()
			n.Seal(1)
			nonce, err := n.Eth.NonceAt(t.Context(), servertest.Alice.Address, nil)
			require.NoError(t, err)
			require.EqualValues(t, senders*each, nonce)
		})
	}
}

// Ensure the node returns transactions as they were sent, pre-confirmed and sealed, with a matching receipt. Those with
// blobs are in TestSendTransactionTypes.
func TestTransactionTypes(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	chainID, gwei := servertest.Genesis().Config.ChainID, big.NewInt(3*params.GWei)
	access := types.AccessList{{Address: servertest.Counter, StorageKeys: []common.Hash{servertest.Topic(0)}}}
	authorization, err := types.SignSetCode(servertest.Bob.Key, types.SetCodeAuthorization{ChainID: *uint256.MustFromBig(chainID), Address: servertest.Counter})
	require.NoError(t, err)
	fee := uint256.MustFromBig(gwei)
	for nonce, data := range []types.TxData{
		&types.LegacyTx{Nonce: 0, GasPrice: gwei, Gas: 100_000, To: &servertest.Counter},
		&types.AccessListTx{ChainID: chainID, Nonce: 1, GasPrice: gwei, Gas: 100_000, To: &servertest.Counter, AccessList: access},
		&types.DynamicFeeTx{ChainID: chainID, Nonce: 2, GasFeeCap: gwei, GasTipCap: big.NewInt(7), Gas: 100_000, To: &servertest.Counter, Data: []byte{1}},
		&types.SetCodeTx{ChainID: uint256.MustFromBig(chainID), Nonce: 3, GasFeeCap: fee, GasTipCap: uint256.NewInt(7), Gas: 100_000,
			To: servertest.Bob.Address, AuthList: []types.SetCodeAuthorization{authorization}},
	} {
		tx, err := types.SignNewTx(servertest.Alice.Key, types.LatestSigner(servertest.Genesis().Config), data)
		require.NoError(t, err)
		require.NoError(t, n.Eth.SendTransaction(t.Context(), tx), "type %d", tx.Type())
		n.Preconfirm()
		for _, sealed := range []bool{false, true} {
			if sealed {
				n.Seal(1)
			}
			got, pending, err := n.Eth.TransactionByHash(t.Context(), tx.Hash())
			require.NoError(t, err)
			require.False(t, pending, "it has a block number")
			require.Equal(t, tx.Hash(), got.Hash(), "type %d", nonce)
			require.Equal(t, servertest.Raw(t, tx), servertest.Raw(t, got))
			receipt, err := n.Eth.TransactionReceipt(t.Context(), tx.Hash())
			require.NoError(t, err)
			require.EqualValues(t, 1, receipt.Status)
			require.Equal(t, tx.Type(), receipt.Type)
			require.Equal(t, sealed, receipt.BlockHash != common.Hash{})
		}
	}
	code, err := n.Eth.CodeAt(t.Context(), servertest.Bob.Address, nil)
	require.NoError(t, err)
	require.Equal(t, types.AddressToDelegation(servertest.Counter), code)
}

// Ensure eth_sendTransaction makes the transaction type that its fields ask for, blobs and all.
func TestSendTransactionTypes(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	kinds := []map[string]any{
		{"gasPrice": "0x77359400"}, {"gasPrice": "0x77359400", "accessList": []any{}}, {},
		{"blobs": []kzg4844.Blob{{}}}, // takes seconds of KZG
	}
	for wanted, fields := range kinds[:laboratory.Budget(t, 3, 4)] {
		fields["from"], fields["to"] = servertest.Alice.Address, servertest.Bob.Address
		hash := servertest.Fetch[common.Hash](n, "eth_sendTransaction", fields)
		tx, pending, err := n.Eth.TransactionByHash(t.Context(), hash)
		require.NoError(t, err)
		require.True(t, pending, "in the pool")
		require.EqualValues(t, wanted, tx.Type())
		n.Seal(1)
		receipt, err := n.Eth.TransactionReceipt(t.Context(), hash)
		require.NoError(t, err)
		require.EqualValues(t, 1, receipt.Status)
		require.Equal(t, tx.BlobGas(), receipt.BlobGasUsed)
		sent := servertest.Fetch[hexutil.Bytes](n, "eth_getRawTransactionByHash", hash)
		require.Equal(t, servertest.Raw(t, tx.WithoutBlobTxSidecar()), []byte(sent))
		blobs := servertest.Fetch[[]kzg4844.Blob](n, "anvil_getBlobsByTransactionHash", hash)
		require.Len(t, blobs, len(tx.BlobHashes()))
		for i, versioned := range tx.BlobHashes() {
			require.Equal(t, blobs[i], *servertest.Fetch[*kzg4844.Blob](n, "anvil_getBlobByHash", versioned))
			require.Nil(t, servertest.Fetch[*kzg4844.Blob](n, "anvil_getBlobByHash", hash))
		}
	}
}

// sending calls a method that waits for a receipt, returns once its transaction is in the pool, and sends the receipt
// or the error when it comes.
func sending(n *servertest.Network, client *rpc.Client, method string, params ...any) (answered chan *types.Receipt, failed chan error) {
	n.Helper()
	answered, failed = make(chan *types.Receipt, 1), make(chan error, 1)
	feed := n.Timeline.Subscribe()
	defer feed.Close()
	go func() {
		receipt := new(types.Receipt)
		if err := client.CallContext(n.Context(), receipt, method, params...); err != nil {
			failed <- err
			return
		}
		answered <- receipt
	}()
	pooled, err := feed.Next(n.Context())
	require.NoError(n, err)
	require.Equal(n, preconf.TransactionPooled, pooled.Kind)
	return answered, failed
}

// rawOf returns the first transaction of an account as eth_sendRawTransaction takes it.
func rawOf(t *testing.T, from fixtures.Account) hexutil.Bytes {
	t.Helper()
	return servertest.Raw(t, servertest.Signed(t, from, 0))
}

// Ensure eth_sendRawTransactionSync and eth_sendTransactionSync, which fills in what is missing, answer the
// pre-confirmed receipt as soon as there is one, and let the other calls of their connection pass, which may cause it.
func TestSendSync(t *testing.T) {
	t.Parallel()
	for method, params := range map[string]any{
		"eth_sendRawTransactionSync": rawOf(t, servertest.Alice), "eth_sendTransactionSync": map[string]any{"from": servertest.Bob.Address, "to": servertest.Counter},
	} {
		n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
		client := n.Client()
		answered, _ := sending(n, client, method, params)
		var number hexutil.Uint64
		require.NoError(t, client.CallContext(t.Context(), &number, "eth_blockNumber"), "answered while the other waits")
		require.NoError(t, client.CallContext(t.Context(), nil, "fakenode_preconfirm"))
		receipt := servertest.Await(t, answered)
		require.Equal(t, n.Timeline.Moment().Pending().Transactions()[0].Hash(), receipt.TxHash)
		require.Equal(t, common.Hash{}, receipt.BlockHash, "pre-confirmed")
		require.EqualValues(t, 1, receipt.BlockNumber.Int64())
	}
}

// Ensure waiting ends at once, with the reason, when the transaction is dropped.
func TestSendSyncOfDropped(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	_, failed := sending(n, n.Eth.Client(), "eth_sendRawTransactionSync", rawOf(t, servertest.Alice))
	n.Do("anvil_dropTransaction", servertest.Signed(t, servertest.Alice, 0).Hash())
	require.EqualError(t, servertest.Await(t, failed), "transaction was dropped: removed from the pool on command")
}

// Ensure geth's profile signs and sends from the first account where none is named.
func TestSenderLeftOut(t *testing.T) {
	t.Parallel()
	n := inProfile(t, persona.Geth.Wire, preconf.Config{})
	request := map[string]any{"to": servertest.Bob.Address}
	signed := servertest.Fetch[struct{ Tx *types.Transaction }](n, "eth_signTransaction", request).Tx
	from, err := types.Sender(types.LatestSignerForChainID(signed.ChainId()), signed)
	require.NoError(t, err)
	require.Equal(t, servertest.Alice.Address, from)
	hash := servertest.Fetch[common.Hash](n, "eth_sendTransaction", request)
	require.Equal(t, servertest.Alice.Address, servertest.Fetch[struct{ From common.Address }](n, "eth_getTransactionByHash", hash).From)
}

// Ensure a transaction that is bound to no chain, such as the one that creates Multicall3, is refused under the geth
// profile unless it is allowed.
func TestUnprotectedTransactions(t *testing.T) {
	t.Parallel()
	half := "2222222222222222222222222222222222222222222222222222222222222222"
	raw := "0xf8658085174876e800830186a080809461000a80600a3d393df3602a60005260206000f31ba0" + half + "a0" + half
	n := func(settings api.Settings) *servertest.Network {
		n := servertest.New(t, preconf.Config{Mode: control.Instant}, rpcserver.Config{Settings: settings})
		n.Do("anvil_setBalance", "0x52c14140dd9288df7cb5f15038297d1e53f71f6c", "0xde0b6b3a7640000")
		return n
	}
	allowing := persona.Geth.Wire
	allowing.RejectUnprotected = false
	for _, b := range []api.Behaviour{{}, allowing} {
		taken := n(api.Settings{Behaviour: b})
		receipt, err := taken.Eth.TransactionReceipt(t.Context(), servertest.Fetch[common.Hash](taken, "eth_sendRawTransaction", raw))
		require.NoError(t, err)
		require.EqualValues(t, types.ReceiptStatusSuccessful, receipt.Status)
	}
	failure := n(api.Settings{Behaviour: persona.Geth.Wire}).Fails(api.CodeServer, "eth_sendRawTransaction", raw)
	require.Equal(t, "only replay-protected (EIP-155) transactions allowed over RPC", failure.Message)
}

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
