package rpcserver

import (
	"slices"
	"strings"
)

// controlPrefixes begin the methods that command the node rather than ask it.
var controlPrefixes = []string{"fakenode_", "evm_", "anvil_", "hardhat_", "miner_", "testing_"}

// Control reports whether a method commands the node: time, state, reorgs, faults, other people's money.
func Control(method string) bool {
	switch method {
	case "debug_setHead", "eth_sendUnsignedTransaction":
		return true
	}
	return slices.ContainsFunc(controlPrefixes, func(prefix string) bool { return strings.HasPrefix(method, prefix) })
}

// Preconfirmation reports whether a method exists only on pre-confirmed endpoints (contract 1, point 4).
func Preconfirmation(method string) bool {
	switch method {
	case "eth_simulateV1", "base_transactionStatus", "fakenode_preconfirm", "fakenode_flashblockFault":
		return true
	}
	return false
}
