package rpcserver

import (
	"runtime"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
)

// clientVersion is the default of Config.ClientVersion.
var clientVersion = "fakenode/" + runtime.GOOS + "-" + runtime.GOARCH + "/" + runtime.Version()

// web3ClientVersion serves web3_clientVersion.
func web3ClientVersion(r *request) (any, error) { return r.served.clientVersion, nil }

// web3Sha3 serves web3_sha3: the Keccak-256 of bytes.
func web3Sha3(_ *request, data hexutil.Bytes) (any, error) { return crypto.Keccak256Hash(data), nil }

// netVersion serves net_version: the chain id in decimal.
func netVersion(r *request) (any, error) { return strconv.FormatUint(r.network.chainID(), 10), nil }

// netListening serves net_listening.
func netListening(*request) (any, error) { return true, nil }

// chainID serves eth_chainId.
func chainID(r *request) (any, error) { return hexutil.Uint64(r.network.chainID()), nil }

// rpcModules serves rpc_modules: the namespaces of the methods that are on, each with a version.
func rpcModules(r *request) (any, error) {
	modules := make(map[string]string)
	for name := range r.served.methods {
		namespace, _, _ := strings.Cut(name, "_")
		modules[namespace] = "1.0"
	}
	return modules, nil
}
