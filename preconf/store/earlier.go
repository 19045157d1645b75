package store

import "strings"

// nameOfPath returns the name of a network that version 1 of the format named by its URL path, such as "/w/shop" and
// "/w/shop/testnet".
func nameOfPath(path string) Name {
	world, isTestnet := strings.CutSuffix(strings.TrimPrefix(path, "/w/"), "/testnet")
	if isTestnet {
		return Name{world, "testnet"}
	}
	return Name{world, "main"}
}
