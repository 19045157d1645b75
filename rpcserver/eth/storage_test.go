package eth_test

import (
	"strings"
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
}
