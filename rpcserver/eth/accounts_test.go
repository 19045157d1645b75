package eth_test

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient/gethclient"
	"github.com/ethereum/go-ethereum/ethdb/memorydb"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/labcode"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure go-ethereum's client reads every block by every road as one block, whose fields hash to its hash
// and whose transactions and receipts to its roots.
func TestBlocksThroughEthclient(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	for i := range byte(3) {
		n.Emit(i, 1)
		n.Send(servertest.Bob, &servertest.Counter, nil)
		n.Seal(1)
	}
	for number := range int64(4) {
		block, err := n.Eth.BlockByNumber(t.Context(), big.NewInt(number))
		require.NoError(t, err)
		shown := servertest.Fetch[struct {
			Hash common.Hash
			Size hexutil.Uint64
		}](n, "eth_getBlockByNumber", hexutil.Uint64(number), false)
		require.Equal(t, shown.Hash, block.Hash())
		require.EqualValues(t, shown.Size, block.Size())

		byHash, err := n.Eth.BlockByHash(t.Context(), block.Hash())
		require.NoError(t, err)
		require.Equal(t, blockRLP(t, block), blockRLP(t, byHash))
		header, err := n.Eth.HeaderByHash(t.Context(), block.Hash())
		require.NoError(t, err)
		require.Equal(t, block.Hash(), header.Hash())

		receipts, err := n.Eth.BlockReceipts(t.Context(), blockRef(hexutil.EncodeUint64(uint64(number))))
		require.NoError(t, err)
		require.Equal(t, header.ReceiptHash, types.DeriveSha(types.Receipts(receipts), trie.NewStackTrie(nil)))
		count, err := n.Eth.TransactionCount(t.Context(), block.Hash())
		require.NoError(t, err)
		require.Len(t, receipts, int(count))
		for i, receipt := range receipts {
			tx, err := n.Eth.TransactionInBlock(t.Context(), block.Hash(), uint(i))
			require.NoError(t, err)
			require.Equal(t, tx.Hash(), receipt.TxHash)
			from, err := n.Eth.TransactionSender(t.Context(), tx, block.Hash(), uint(i))
			require.NoError(t, err)
			require.Equal(t, []common.Address{servertest.Alice.Address, servertest.Bob.Address}[i], from)
			one, err := n.Eth.TransactionReceipt(t.Context(), tx.Hash())
			require.NoError(t, err)
			require.Equal(t, one, receipt)
		}
	}
}

func blockRLP(t *testing.T, block *types.Block) []byte {
	t.Helper()
	raw, err := rlp.EncodeToBytes(block)
	require.NoError(t, err)
	return raw
}

// Ensure the next sealed block equals the pending block, except for hash, size and state root.
func TestPendingBlockBecomesSealed(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Seal(1)
	n.Emit(1, 1)
	n.Preconfirm()
	n.Send(servertest.Bob, &servertest.Counter, nil)
	n.Preconfirm()
	pending := servertest.Fetch[map[string]any](n, "eth_getBlockByNumber", "pending", false)
	require.Equal(t, common.Hash{}.Hex(), pending["hash"])
	require.Equal(t, []any{}, pending["withdrawals"])
	require.NotContains(t, pending, "size")
	hash := n.Seal(1)[0]
	sealed := servertest.Fetch[map[string]any](n, "eth_getBlockByHash", hash, false)
	for _, field := range []string{"hash", "size", "stateRoot"} {
		delete(pending, field)
		delete(sealed, field)
	}
	require.Equal(t, sealed, pending)

	block, err := n.Eth.BlockByNumber(t.Context(), pendingTag)
	require.NoError(t, err, "empty, never null")
	require.EqualValues(t, 3, block.NumberU64())
	require.Equal(t, hash, block.ParentHash())
}

// Ensure balances, nonces, storage and code at pending equal those at latest once the block is sealed.
func TestAccountsThroughEthclient(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Send(servertest.Alice, &servertest.Counter, nil)
	n.Send(servertest.Alice, nil, labcode.Deployment([]byte{0xfe}))
	created := crypto.CreateAddress(servertest.Alice.Address, 1)
	nonce, err := n.Eth.PendingNonceAt(t.Context(), servertest.Alice.Address)
	require.NoError(t, err)
	require.EqualValues(t, 2, nonce, "the pool counts")
	n.Preconfirm()

	balance, err := n.Eth.PendingBalanceAt(t.Context(), servertest.Alice.Address)
	require.NoError(t, err)
	slot, err := n.Eth.PendingStorageAt(t.Context(), servertest.Counter, servertest.Topic(0))
	require.NoError(t, err)
	require.Equal(t, servertest.Topic(1).Bytes(), slot)
	code, err := n.Eth.PendingCodeAt(t.Context(), created)
	require.NoError(t, err)
	require.Equal(t, []byte{0xfe}, code)
	code, err = n.Eth.CodeAt(t.Context(), created, nil)
	require.NoError(t, err)
	require.Empty(t, code)
	nonce, err = n.Eth.NonceAt(t.Context(), servertest.Alice.Address, nil)
	require.NoError(t, err)
	require.Zero(t, nonce)

	n.Seal(1)
	sealed, err := n.Eth.BalanceAt(t.Context(), servertest.Alice.Address, nil)
	require.NoError(t, err)
	require.Equal(t, balance, sealed)
	code, err = n.Eth.CodeAt(t.Context(), created, nil)
	require.NoError(t, err)
	require.Equal(t, []byte{0xfe}, code)
}

// Ensure a proof proves the account and its slot against the block's state root.
func TestProofVerifies(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Send(servertest.Alice, &servertest.Counter, nil)
	n.Seal(1)
	header, err := n.Eth.HeaderByNumber(t.Context(), nil)
	require.NoError(t, err)
	proof, err := gethclient.New(n.Eth.Client()).GetProof(t.Context(), servertest.Counter, []string{servertest.Topic(0).Hex(), servertest.Topic(5).Hex()}, nil)
	require.NoError(t, err)
	account, err := rlp.EncodeToBytes(&types.StateAccount{
		Nonce: proof.Nonce, Balance: uint256.MustFromBig(proof.Balance), Root: proof.StorageHash, CodeHash: proof.CodeHash[:],
	})
	require.NoError(t, err)
	require.Equal(t, account, proven(t, header.Root, servertest.Counter[:], proof.AccountProof))
	one := servertest.Topic(0)
	require.Equal(t, []byte{1}, proven(t, proof.StorageHash, one[:], proof.StorageProof[0].Proof))
	unset := servertest.Topic(5)
	require.Nil(t, proven(t, proof.StorageHash, unset[:], proof.StorageProof[1].Proof))
	require.Zero(t, proof.StorageProof[1].Value.Sign())
}

// proven is the value that a Merkle proof shows for a key.
func proven(t *testing.T, root common.Hash, key []byte, proof []string) []byte {
	t.Helper()
	nodes := memorydb.New()
	for _, node := range proof {
		raw := hexutil.MustDecode(node)
		require.NoError(t, nodes.Put(crypto.Keccak256(raw), raw))
	}
	value, err := trie.VerifyProof(root, crypto.Keccak256(key), nodes)
	require.NoError(t, err)
	return value
}

// blockRef returns a block parameter as go-ethereum's client spells it.
func blockRef(tag string) rpc.BlockNumberOrHash {
	var ref rpc.BlockNumberOrHash
	if err := ref.UnmarshalJSON([]byte(strconv.Quote(tag))); err != nil {
		panic(err)
	}
	return ref
}

// inProfile returns a network of a profile.
func inProfile(t *testing.T, profile api.Behaviour, config preconf.Config) *servertest.Network {
	t.Helper()
	return servertest.New(t, config, rpcserver.Config{Settings: api.Settings{Behaviour: profile}})
}

// Ensure the keys of txpool_content and txpool_inspect are checksummed under geth, as there, and in lower case under
// spec.
func TestPoolKeys(t *testing.T) {
	t.Parallel()
	sender := fixtures.Dev(0).Address.Hex()
	for profile, want := range map[api.Behaviour]string{{}: strings.ToLower(sender), persona.Geth.Wire: sender} {
		n := inProfile(t, profile, preconf.Config{})
		n.Pay(0, 1, 1)
		for _, method := range []string{"txpool_content", "txpool_inspect"} {
			content := servertest.Fetch[map[string]map[string]json.RawMessage](n, method)
			require.Contains(t, content["pending"], want)
		}
	}
}

// Ensure the slots of many accounts are read at once, in the order asked for and at the block named, up to 1,024.
func TestStorageValues(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	account, other := common.HexToAddress("0x51"), common.HexToAddress("0x52")
	n.Seal(1)
	n.Do("anvil_setStorageAt", account, "0x1", common.Hash{31: 0x11})
	n.Do("anvil_setStorageAt", other, "0x2", common.Hash{31: 0x22})
	wanted := map[common.Address][]common.Hash{account: {{31: 1}, {31: 2}}, other: {{31: 2}}, {9}: {}}
	values := servertest.Fetch[map[common.Address][]common.Hash](n, "eth_getStorageValues", wanted)
	require.Equal(t, map[common.Address][]common.Hash{account: {{31: 0x11}, {}}, other: {{31: 0x22}}, {9}: {}}, values)
	values = servertest.Fetch[map[common.Address][]common.Hash](n, "eth_getStorageValues", wanted, "earliest")
	require.Equal(t, []common.Hash{{}, {}}, values[account])
	full := map[common.Address][]common.Hash{account: make([]common.Hash, 1000), other: make([]common.Hash, 24)}
	require.Len(t, servertest.Fetch[map[common.Address][]common.Hash](n, "eth_getStorageValues", full)[account], 1000)
	full[other] = make([]common.Hash, 25)
	n.Refuses(api.CodeClientLimit, []string{"too many slots: 1025, the limit is 1024"}, "eth_getStorageValues", full)
}
