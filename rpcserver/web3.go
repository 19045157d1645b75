package rpcserver

import (
	"runtime"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// clientVersion is the default of Config.ClientVersion.
var clientVersion = "fakenode/" + runtime.GOOS + "-" + runtime.GOARCH + "/" + runtime.Version()

// web3ClientVersion serves web3_clientVersion.
func web3ClientVersion(r *api.Request) (any, error) { return r.Network.ClientVersion, nil }

// web3Sha3 serves web3_sha3: the Keccak-256 of bytes.
func web3Sha3(_ *api.Request, data hexutil.Bytes) (any, error) {
	return crypto.Keccak256Hash(data), nil
}

// netVersion serves net_version: the chain id in decimal.
func netVersion(r *api.Request) (any, error) { return strconv.FormatUint(r.Network.ChainID(), 10), nil }

// netListening serves net_listening.
func netListening(*api.Request) (any, error) { return true, nil }

// ChainID serves eth_chainId.
func chainID(r *api.Request) (any, error) { return hexutil.Uint64(r.Network.ChainID()), nil }

// rpcModules serves rpc_modules: the namespaces of the methods that are on, each with a version.
func rpcModules(r *api.Request) (any, error) {
	modules := make(map[string]string)
	for name := range r.Network.Methods {
		namespace, _, _ := strings.Cut(name, "_")
		modules[namespace] = "1.0"
	}
	return modules, nil
}
