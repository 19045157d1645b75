package parity

import (
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/fixtures"
)

// Geth returns the peer of the profile geth, with a function that starts them. Both begin with GethAccounts, and
// evm_mine makes of theirs the blocks that ours has made.
func Geth(start Start) *Peer {
	return &Peer{
		Name: "geth", Start: start, AtOnce: 8, Placed: true, Tolerance: 60, // its pending block has the time of the wall
		// Control methods, methods of other nodes, and those that need the key of an account.
		Lacks: strings.Fields(`anvil_* hardhat_* evm_s* evm_i* evm_revert evm_mine_detailed trace_* ots_* erigon_* *_sign* eth_sendTransaction eth_sendUnsignedTransaction
			eth_sendTransactionSync eth_sendRawTransactionSync eth_accounts eth_coinbase eth_mining eth_hashrate eth_protocolVersion eth_networkId eth_getAccount eth_getAccountInfo
			eth_getTransactionBySenderAndNonce eth_pendingTransactions`),
		Kinds:   map[string]string{"evm_mine": "", "eth_newFilter": "openFilter"},
		Weights: map[string]int{"eth_sendRawTransaction": 24, "evm_mine": 10, "txpool_content": 3, "eth_getProof": 3, "debug_traceBlockByNumber": 3},
		Masked: []string{
			"web3_clientVersion *", "evm_mine result", "evm_mine error", "eth_new*Filter result", "eth_syncing *", // its index of states may lag
			"* *.mixHash", "* *.extraData", // of the pending block: ours is a function of its number, geth's names its version
		},
	}
}

// GethAccounts are the accounts of a genesis: the contracts of a course and the development accounts.
func GethAccounts() types.GenesisAlloc {
	alloc := types.GenesisAlloc{}
	for i := range 20 {
		alloc[fixtures.Dev(i).Address] = types.Account{Balance: new(big.Int).Mul(big.NewInt(10_000), big.NewInt(params.Ether))}
	}
	for _, contract := range contracts {
		alloc[parsedAddress(contract.address)] = types.Account{Code: hexutil.MustDecode(contract.code), Nonce: 1, Balance: new(big.Int)}
	}
	return alloc
}
