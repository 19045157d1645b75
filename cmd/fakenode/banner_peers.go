package main

import (
	"fmt"
	"io"
	"math/big"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
)

// anvilBanner prints the sections that anvil prints, in its order and form, for the programs that read them.
func anvilBanner(w io.Writer, node *fakenode.Node, o options) {
	section := func(title string, rows ...any) {
		fmt.Fprintf(w, "\n%s\n==================\n", title)
		for _, row := range rows {
			fmt.Fprintln(w, row)
		}
	}
	balance := o.ether()
	addresses, keys := []any{""}, []any{""}
	for i, account := range node.Accounts() {
		addresses = append(addresses, fmt.Sprintf("(%d) %s (%s ETH)", i, account.Address, balance.FloatString(18)))
		keys = append(keys, fmt.Sprintf("(%d) %s", i, key(account)))
	}
	section("Available Accounts", addresses...)
	section("Private Keys", keys...)
	section("Wallet", "Mnemonic:          "+o.config.Mnemonic, "Derivation path:   m/44'/60'/0'/0/\n")
	head := node.Moment().Latest().Header()
	if fork := node.Fork(); fork != nil {
		section("Fork", "Endpoint:       "+fork.URL(), fmt.Sprint("Block number:   ", fork.Number()), fmt.Sprintf("Block hash:     %v", fork.Hash()), fmt.Sprint("Chain ID:       ", fork.ChainID()))
	} else {
		section("Chain ID", "", node.ChainID())
	}
	section("Base Fee", "", head.BaseFee)
	section("Gas Limit", "", head.GasLimit)
	section("Genesis Timestamp", "", head.Time)
	section("Genesis Number", "", head.Number)
	fmt.Fprintln(w)
}

// hardhatBanner prints what hardhat node prints.
func hardhatBanner(w io.Writer, node *fakenode.Node, o options) {
	const warning = "WARNING: These accounts, and their private keys, are publicly known.\nAny funds sent to them on Mainnet or any other live network WILL BE LOST.\n\n"
	fmt.Fprintf(w, "Started HTTP and WebSocket JSON-RPC server at %s/\n\nAccounts\n========\n\n"+warning, node.URL())
	balance := o.ether()
	whole := new(big.Int).Quo(balance.Num(), balance.Denom())
	for i, account := range node.Accounts() {
		fmt.Fprintf(w, "Account #%d: %s (%d ETH)\nPrivate Key: %s\n\n", i, account.Address, whole, key(account))
	}
	fmt.Fprint(w, warning)
}

// ether returns the balance of each account, in ether.
func (o *options) ether() *big.Rat {
	wei := o.config.Balance
	if wei == nil {
		wei = fixtures.Ether("10000")
	}
	return new(big.Rat).SetFrac(wei.ToBig(), big.NewInt(1e18))
}
