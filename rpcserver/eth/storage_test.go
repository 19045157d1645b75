package eth_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure slots are read by keys in each form, many at once, and refused beyond their limits.
func TestStorage(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	account, other := common.HexToAddress("0x51"), common.HexToAddress("0x52")
	n.Seal(1)
	n.Do("anvil_setStorageAt", account, "0x1", common.Hash{31: 0x11})
	n.Do("anvil_setStorageAt", other, "0x2", common.Hash{31: 0x22})
	value := common.Hash{31: 0x11}
	for _, key := range []string{"0x1", "0x01", "0X1", "1", "01", common.Hash{31: 1}.Hex()} {
		require.Equal(t, value, servertest.Fetch[common.Hash](n, "eth_getStorageAt", account, key), key)
	}
	require.Equal(t, common.Hash{}, servertest.Fetch[common.Hash](n, "eth_getStorageAt", account, "0x"))
	require.Equal(t, common.Hash{}, servertest.Fetch[common.Hash](n, "eth_getStorageAt", account, "0x1", "0x0"))
	for key, problem := range map[any]string{
		1: "not a string", "0x" + strings.Repeat("0", 66): "storage key of 33 bytes is longer than 32", "0xzz": "invalid byte", common.Hash{}.Hex() + "0": "33 bytes",
	} {
		n.Refuses(api.CodeInvalidParams, []string{problem, "a storage key (at most 32 bytes in hex)"}, "eth_getStorageAt", account, key)
	}

	wanted := map[common.Address][]common.Hash{account: {{31: 1}, {31: 2}}, other: {{31: 2}}, {9}: {}}
	values := servertest.Fetch[map[common.Address][]common.Hash](n, "eth_getStorageValues", wanted)
	require.Equal(t, map[common.Address][]common.Hash{account: {value, {}}, other: {{31: 0x22}}, {9}: {}}, values)
	values = servertest.Fetch[map[common.Address][]common.Hash](n, "eth_getStorageValues", wanted, "earliest")
	require.Equal(t, []common.Hash{{}, {}}, values[account])
	n.Refuses(api.CodeInvalidParams, []string{"empty request: no storage slots given"}, "eth_getStorageValues", map[common.Address][]common.Hash{account: {}})
	full := map[common.Address][]common.Hash{account: make([]common.Hash, 1000), other: make([]common.Hash, 24)}
	require.Len(t, servertest.Fetch[map[common.Address][]common.Hash](n, "eth_getStorageValues", full)[account], 1000)
	full[other] = make([]common.Hash, 25)
	n.Refuses(api.CodeClientLimit, []string{"too many slots: 1025, the limit is 1024"}, "eth_getStorageValues", full)
	n.Refuses(api.CodeNotFound, []string{"block not found: 0x9"}, "eth_getStorageValues", wanted, "0x9")
}

// Ensure a proof names keys as they were given, whole or as quantities, and has the account's members.
func TestProofs(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	account := common.HexToAddress("0x51")
	n.Seal(1)
	n.Do("anvil_setStorageAt", account, "0x1", common.Hash{31: 0x11})
	n.Do("anvil_setBalance", account, "0x5")
	n.Do("anvil_setNonce", account, "0x7")
	n.Do("anvil_setCode", account, "0x00")
	n.Seal(1)
	type proof struct {
		Address               common.Address
		AccountProof          []hexutil.Bytes
		Balance, Nonce        string
		CodeHash, StorageHash common.Hash
		StorageProof          []struct {
			Key, Value string
			Proof      []hexutil.Bytes
		}
	}
	is := servertest.Fetch[proof](n, "eth_getProof", account, []string{common.Hash{31: 1}.Hex(), "0x1", "0x01", "0x2"}, "latest")
	require.Equal(t, account, is.Address)
	require.Equal(t, []string{"0x5", "0x7"}, []string{is.Balance, is.Nonce})
	require.Equal(t, crypto.Keccak256Hash([]byte{0}), is.CodeHash)
	require.Equal(t, n.Timeline.Moment().Latest().Header().Root, crypto.Keccak256Hash(is.AccountProof[0]))
	require.Len(t, is.StorageProof, 4)
	for i, want := range [][2]string{{common.Hash{31: 1}.Hex(), "0x11"}, {"0x1", "0x11"}, {"0x1", "0x11"}, {"0x2", "0x0"}} {
		require.Equal(t, want, [2]string{is.StorageProof[i].Key, is.StorageProof[i].Value})
		require.Equal(t, is.StorageHash, crypto.Keccak256Hash(is.StorageProof[i].Proof[0]))
	}
	keys := make([]string, 1024)
	for i := range keys {
		keys[i] = "0x1"
	}
	require.Len(t, servertest.Fetch[proof](n, "eth_getProof", account, keys, "latest").StorageProof, 1024)
	n.Refuses(api.CodeInvalidParams, []string{"too many storage keys: 1025, the limit is 1024"}, "eth_getProof", account, append(keys, "0x1"), "latest")

	type object struct {
		Balance, Nonce        string
		CodeHash, StorageRoot common.Hash
	}
	require.Equal(t, object{"0x5", "0x7", is.CodeHash, is.StorageHash}, servertest.Fetch[object](n, "eth_getAccount", account, "latest"))
	require.Equal(t, object{"0x0", "0x0", types.EmptyCodeHash, types.EmptyRootHash}, servertest.Fetch[object](n, "eth_getAccount", common.Address{9}, "latest"))
	require.JSONEq(t, `{"balance":"0x5","code":"0x00","nonce":"0x7"}`, string(servertest.Fetch[json.RawMessage](n, "eth_getAccountInfo", account, "latest")))
	require.Equal(t, "0x00", servertest.Fetch[string](n, "eth_getCode", account))
	require.Equal(t, "0x", servertest.Fetch[string](n, "eth_getCode", account, "earliest"))
}

// Ensure a node tells what it is as clients ask for it.
func TestWhatANodeIs(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Seal(2)
	head := n.Timeline.Moment().Latest()
	all := `{"disabled":false,"oldestBlock":"0x0"}`
	require.JSONEq(t, `{"head":{"number":"0x2","hash":"`+head.Hash().Hex()+`"},"state":`+all+`,"tx":`+all+`,"receipts":`+all+`,"blocks":`+all+`,"stateproofs":`+all+
		`,"logs":{"disabled":false,"oldestBlock":"0x0","deleteStrategy":{"type":"window","retentionBlocks":"0x7fffffffffffffff"}}}`,
		string(servertest.Fetch[json.RawMessage](n, "eth_capabilities")))
	require.Equal(t, crypto.Keccak256Hash([]byte{1, 2}), servertest.Fetch[common.Hash](n, "web3_sha3", "0x0102"))
	require.Equal(t, "31337", servertest.Fetch[string](n, "net_version"))
	require.Equal(t, "0x7a69", servertest.Fetch[string](n, "eth_chainId"))
	require.Equal(t, "fakenode/test", servertest.Fetch[string](n, "web3_clientVersion"))
	require.Equal(t, fixtures.Dev(0).Address, servertest.Fetch[[]common.Address](n, "eth_requestAccounts")[0])
	require.Len(t, servertest.Fetch[[]common.Address](n, "eth_accounts"), fixtures.DevAccounts)
	modules := servertest.Fetch[map[string]string](n, "rpc_modules")
	for _, name := range []string{"eth", "net", "web3", "debug", "trace", "fakenode", "anvil"} {
		require.Equal(t, "1.0", modules[name], name)
	}
	genesis, err := n.Timeline.Moment().ByNumber(0)
	require.NoError(t, err)
	require.JSONEq(t, `{"name":"fakenode/test","id":"","enode":"","ip":"","listenAddr":"","ports":{"discovery":0,"listener":0},"protocols":{"eth":{"network":31337,"genesis":"`+
		genesis.Hash().Hex()+`","head":"`+head.Hash().Hex()+`"}}}`, string(servertest.Fetch[json.RawMessage](n, "admin_nodeInfo")))
	n.Do("anvil_setCoinbase", common.Address{0xcb})
	require.Equal(t, common.Address{0xcb}, servertest.Fetch[common.Address](n, "eth_coinbase"))

	signature := servertest.Fetch[hexutil.Bytes](n, "personal_sign", "0x0102", servertest.Alice.Address)
	require.Equal(t, signature, servertest.Fetch[hexutil.Bytes](n, "eth_sign", servertest.Alice.Address, "0x0102"))
	require.Contains(t, []byte{27, 28}, signature[64])
	require.Equal(t, servertest.Alice.Address, servertest.Fetch[common.Address](n, "personal_ecRecover", "0x0102", signature))
	n.Refuses(api.CodeInvalidParams, []string{"invalid argument 1 (signature) of personal_ecRecover: 64 bytes, want 65"}, "personal_ecRecover", "0x0102", signature[:64])
	n.Refuses(api.CodeInvalidParams, []string{"invalid argument 1 (signature)"}, "personal_ecRecover", "0x0102", append(signature[:64:64], 99))
	n.Refuses(api.CodeServer, []string{"unknown account"}, "eth_sign", common.Address{9}, "0x0102")
}

// Ensure a fee history has one base fee more than blocks, tips by percentiles of gas, and no more than 1,024 blocks and
// 100 percentiles.
func TestFeeHistoryLimits(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Pay(0, 1, 1)
	n.Pay(1, 2, 1)
	n.Seal(1)
	type history struct {
		OldestBlock       string
		Reward            [][]string
		BaseFeePerGas     []string
		GasUsedRatio      []float64
		BaseFeePerBlobGas []string
		BlobGasUsedRatio  []float64
	}
	is := servertest.Fetch[history](n, "eth_feeHistory", "0x9", "latest", []float64{0, 49.5, 50, 100})
	require.Equal(t, "0x0", is.OldestBlock)
	require.Equal(t, [][]string{{"0x0", "0x0", "0x0", "0x0"}, {"0x3b9aca00", "0x3b9aca00", "0x3b9aca00", "0x3b9aca00"}}, is.Reward)
	require.Equal(t, []float64{0, 42_000.0 / 60_000_000}, is.GasUsedRatio)
	require.Equal(t, []float64{0, 0}, is.BlobGasUsedRatio)
	require.Equal(t, []string{"0x1", "0x1", "0x1"}, is.BaseFeePerBlobGas)
	require.Len(t, is.BaseFeePerGas, 3)
	require.Equal(t, hexutil.EncodeBig(n.Timeline.Moment().Latest().Header().BaseFee), is.BaseFeePerGas[1])
	require.Equal(t, hexutil.EncodeBig(n.Timeline.Moment().NextHeader().BaseFee), is.BaseFeePerGas[2])
	one := servertest.Fetch[history](n, "eth_feeHistory", 1, "0x1")
	require.Equal(t, "0x1", one.OldestBlock)
	require.Equal(t, is.BaseFeePerGas[1:], one.BaseFeePerGas)
	require.Nil(t, one.Reward)
	require.JSONEq(t, `{"oldestBlock":"0x0","gasUsedRatio":[]}`, string(servertest.Fetch[json.RawMessage](n, "eth_feeHistory", 0, "0x99", []float64{7, 1})))
	many := make([]float64, 101)
	for i := range many {
		many[i] = float64(i)
	}
	n.Do("eth_feeHistory", 1, "latest", many[1:])
	n.Fails(api.CodeInvalidParams, "eth_feeHistory", 1, "latest", many)
	for _, percentiles := range [][]float64{{-1}, {100.5}, {50, 49}, {50, 50}} {
		n.Fails(api.CodeInvalidParams, "eth_feeHistory", 1, "latest", percentiles)
	}
	n.Refuses(api.CodeNotFound, []string{"0x99"}, "eth_feeHistory", 1, "0x99")
	n.Seal(1030)
	long := servertest.Fetch[history](n, "eth_feeHistory", 2000, "latest")
	require.Len(t, long.GasUsedRatio, 1024)
	require.Len(t, long.BaseFeePerGas, 1025)
	require.Equal(t, hexutil.EncodeUint64(1031+1-1024), long.OldestBlock)
}
