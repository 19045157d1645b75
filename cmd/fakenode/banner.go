package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/tokencontract"
)

// shownKeys is how many accounts the banner shows without --print-keys.
const shownKeys = 3

// announce prints where the node listens, its banner and its warnings. Programs that start a node read the output of
// anvil up to its line with the address, and take other lines on its stderr than warnings for its end.
func announce(node *fakenode.Node, o options, stdout, stderr io.Writer) {
	address := strings.TrimPrefix(node.URL(), "http://")
	asAnvil := o.config.Preset == fakenode.Anvil && !o.quiet
	if !asAnvil {
		fmt.Fprintf(stdout, "Listening on %s\n", address)
	}
	if o.config.Preset == fakenode.Hardhat && !o.quiet {
		hardhatBanner(stdout, node, o)
	}
	if !o.quiet {
		banner(stdout, node, o)
	}
	warnOfHost(stdout, o)
	for _, line := range o.warnings {
		if o.config.Preset == fakenode.Anvil {
			fmt.Fprintf(stderr, "Warning: %s\n", line)
		} else {
			fmt.Fprintf(stdout, "warning: %s\n", line)
		}
	}
	if asAnvil {
		anvilBanner(stdout, node, o)
		fmt.Fprintf(stdout, "Listening on %s\n", address)
	}
}

// banner prints for people the URLs of the networks, and the keys to use them with.
func banner(w io.Writer, node *fakenode.Node, o options) {
	fmt.Fprintf(w, "\nmain network  %s  %s  chain %d\n", node.URL(), node.WebSocketURL(), node.ChainID())
	fmt.Fprintf(w, "test network  %s  %s  chain %d\n", node.TestnetURL(), node.Testnet().WebSocketURL(), node.Testnet().ChainID())
	if node.HasL1() {
		l1 := node.L1()
		fmt.Fprintf(w, "its L1        %s  %s  chain %d\n", l1.URL(), l1.WebSocketURL(), l1.ChainID())
	}
	if fork := node.Fork(); fork != nil {
		fmt.Fprintf(w, "fork of chain %d at block %d  %s  %s\n", fork.ChainID(), fork.Number(), fork.Hash(), cmp.Or(fork.URL(), "offline"))
	}
	if o.config.State != "" {
		fmt.Fprintf(w, "state %s  at block %d\n", o.config.State, node.BlockNumber())
	}
	if len(o.applied) > 0 {
		fmt.Fprintf(w, "%s: %s\n", o.like(), typed(o.applied))
	}
	timeline := node.Timeline().Config()
	fmt.Fprintf(w, "seal %s  block %s  pending %s  clock %s\n", timeline.Mode, timeline.BlockTime, pendingTime(node), node.Now().Format("2006-01-02T15:04:05Z07:00"))
	if node.Token().Exists() {
		fmt.Fprintf(w, "token %s (EIP-3009, 6 decimals; test network %s)\n", node.Token().Address(), node.Testnet().Token().Address())
		fmt.Fprint(w, variantLine[node.Token().Variant()])
	} else {
		fmt.Fprintf(w, "token none in this genesis (test network %s)\n", node.Testnet().Token().Address())
	}
	for _, asset := range node.X402Assets() {
		fmt.Fprintf(w, "x402 asset %s (%s, version %s, %d decimals)\n", asset.Address, asset.Name, asset.Version, asset.Decimals)
	}
	if o.config.Preset == fakenode.Anvil || o.config.Preset == fakenode.Hardhat {
		return // whose own banners have the keys
	}
	fmt.Fprintf(w, "\nTest keys, known to everybody: never use them elsewhere.\n")
	accounts := node.Accounts()
	for i, account := range accounts {
		if i == shownKeys && !o.print.keys {
			fmt.Fprintf(w, "%d more: --print-keys\n", len(accounts)-i)
			break
		}
		fmt.Fprintf(w, "account %-2d  %s  %s\n", i, account.Address, key(account))
	}
	fmt.Fprintf(w, "token owner %s  %s\n", fakenode.TokenOwner.Address, key(fakenode.TokenOwner))
}

// variantLine describes a token's variant.
var variantLine = map[tokencontract.Variant]string{
	fakenode.Strict:         "strict token: a capture needs a ReceiveWithAuthorization signature, as with USDC\n",
	fakenode.DocumentedFlow: "documented token: a capture also takes a TransferWithAuthorization signature, which USDC refuses (--token strict)\n",
	0:                       "its rules are those of the chain or the genesis that brought it\n",
}

// warnOfHost warns that others can reach the node, unless it listens on loopback only.
func warnOfHost(stdout io.Writer, o options) {
	if ip := net.ParseIP(o.config.Host); o.config.Host == "localhost" || ip != nil && ip.IsLoopback() {
		return
	}
	reachable := "the API, accounts that sign for anybody, and the control methods, which change time, balances and the chain (--no-control removes them)"
	if o.config.NoControl {
		reachable = "the API, with accounts that sign for anybody"
	}
	fmt.Fprintf(stdout, "warning: on --host %s everyone who reaches this machine also reaches %s\n", o.config.Host, reachable)
}

func pendingTime(node *fakenode.Node) string {
	if node.Moment().NoFlashblocks() != nil {
		return "off"
	}
	timeline := node.Timeline().Config()
	if timeline.FlashblockTime == fakenode.NoFlashblocks {
		return "on command"
	}
	return timeline.FlashblockTime.String()
}

func key(a fakenode.Account) string { return hexutil.Encode(crypto.FromECDSA(a.Key)) }

// writeConfig writes the URLs, chain ids, keys and addresses (EIP-55) that a script needs to use the node, unless path
// is empty.
func writeConfig(path string, node *fakenode.Node) error {
	type account struct {
		Address string `json:"address"`
		Key     string `json:"privateKey"`
	}
	type network struct {
		ChainID      uint64  `json:"chainId"`
		URL          string  `json:"url"`
		WebSocketURL string  `json:"webSocketUrl"`
		Token        *string `json:"token"` // null: there is none
	}
	describe := func(n *fakenode.Network) network {
		described := network{ChainID: n.ChainID(), URL: n.URL(), WebSocketURL: n.WebSocketURL()}
		if n.Token().Exists() {
			described.Token = new(n.Token().Address().Hex())
		}
		return described
	}
	config := struct {
		Main       network   `json:"main"`
		Testnet    network   `json:"testnet"`
		L1         *network  `json:"l1,omitempty"` // absent without --l1
		Accounts   []account `json:"accounts"`
		TokenOwner account   `json:"tokenOwner"`
	}{
		Main:       describe(node.Network),
		Testnet:    describe(node.Testnet()),
		Accounts:   []account{},
		TokenOwner: account{fakenode.TokenOwner.Address.Hex(), key(fakenode.TokenOwner)},
	}
	if node.HasL1() {
		config.L1 = new(describe(node.L1()))
	}
	for _, a := range node.Accounts() {
		config.Accounts = append(config.Accounts, account{a.Address.Hex(), key(a)})
	}
	text, err := json.MarshalIndent(config, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(path, 0o600, func(w io.Writer) error { // it holds keys
		_, err := w.Write(append(text, '\n')) // in one write, for programs that wait for the file
		return err
	})
}
