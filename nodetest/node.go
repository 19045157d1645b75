package nodetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"
)

// Account is a development account, which the node funds.
type Account struct {
	Address    string
	PrivateKey string // 32 bytes in hex
}

// Node is a chain of a test's own, with a test network beside it. Its methods are those of the main network, and fail
// the test where they return no error. Safe for concurrent use.
type Node struct {
	*Network
	testnet *Network
	l1      *Network // nil without --l1
	process *process
	name    string
}

// Network is one chain of a Node. Safe for concurrent use.
type Network struct {
	t            testing.TB
	url          string
	webSocketURL string
	chainID      uint64
	token        string
}

// urls is the answer of fakenode_newWorld.
type urls struct {
	Name                string `json:"name"`
	URL                 string `json:"url"`
	WebSocketURL        string `json:"webSocketUrl"`
	TestnetURL          string `json:"testnetUrl"`
	TestnetWebSocketURL string `json:"testnetWebSocketUrl"`
	L1URL               string `json:"l1Url"`
	L1WebSocketURL      string `json:"l1WebSocketUrl"`
}

// RunT returns a chain of the test's own, which ends with the test, in a process that all tests with the same flags
// share. The flags are those of the command line, such as "--preset=base"; `fakenode --help` describes them. Without
// --preset the clock stands still, blocks are sealed on command, and errors of calls are worded as live clients word
// them (--seal=manual --compat=geth). What the node printed meanwhile is logged where the test fails.
func RunT(t testing.TB, flags ...string) *Node {
	t.Helper()
	p, err := processFor(flags)
	if err != nil {
		t.Fatalf("nodetest: %v", err)
	}
	return p.world(t, p.root(t))
}

// root returns the chain that those of the tests are copies of.
func (p *process) root(t testing.TB) *Network { return &Network{t: t, url: p.config.Main.URL} }

// world makes a copy of a chain, which ends with the test.
func (p *process) world(t testing.TB, source *Network) *Node {
	t.Helper()
	printed := p.log.count()
	var made urls
	source.must(&made, "fakenode_newWorld")
	n := &Node{process: p, name: made.Name}
	n.Network = &Network{t, made.URL, made.WebSocketURL, p.config.Main.ChainID, p.config.Main.Token}
	n.testnet = &Network{t, made.TestnetURL, made.TestnetWebSocketURL, p.config.Testnet.ChainID, p.config.Testnet.Token}
	if made.L1URL != "" {
		n.l1 = &Network{t: t, url: made.L1URL, webSocketURL: made.L1WebSocketURL}
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(p.how)
			for _, line := range p.log.since(printed) {
				t.Log(line)
			}
		}
		if err := p.root(t).Call(context.Background(), nil, "fakenode_closeWorld", made.Name); err != nil {
			t.Errorf("nodetest: the chain cannot be closed: %v", err)
		}
	})
	return n
}

// Testnet returns the test network, a second chain with its own state and clock.
func (n *Node) Testnet() *Network { return n.testnet }

// TestnetURL returns the URL of the test network.
func (n *Node) TestnetURL() string { return n.testnet.url }

// L1 returns the L1 below the main network, nil without the flag --l1.
func (n *Node) L1() *Network { return n.l1 }

// Name returns the name of the world in its process.
func (n *Node) Name() string { return n.name }

// Accounts returns the development accounts.
func (n *Node) Accounts() []Account { return append([]Account(nil), n.process.config.Accounts...) }

// Account returns a development account, counted from 0.
func (n *Node) Account(i int) Account {
	n.t.Helper()
	if accounts := n.process.config.Accounts; i >= 0 && i < len(accounts) {
		return accounts[i]
	}
	n.t.Fatalf("nodetest: there is no account %d: the node has %d", i, len(n.process.config.Accounts))
	return Account{}
}

// TokenOwner returns the account that mints, pauses and blacklists.
func (n *Node) TokenOwner() Account { return n.process.config.TokenOwner }

// URL returns the URL for JSON-RPC over HTTP.
func (n *Network) URL() string { return n.url }

// WebSocketURL returns the URL for JSON-RPC over WebSocket.
func (n *Network) WebSocketURL() string { return n.webSocketURL }

// ChainID returns the chain's id.
func (n *Network) ChainID() uint64 {
	n.t.Helper()
	if n.chainID == 0 { // an L1's is not in --config-out
		var id quantity
		n.must(&id, "eth_chainId")
		return uint64(id)
	}
	return n.chainID
}

// Now returns the time on the node's clock.
func (n *Network) Now() time.Time {
	n.t.Helper()
	return time.UnixMilli(n.Info().Clock.TimestampMs)
}

// BlockNumber returns the number of the newest sealed block.
func (n *Network) BlockNumber() uint64 {
	n.t.Helper()
	var number quantity
	n.must(&number, "eth_blockNumber")
	return uint64(number)
}

// must calls a method and fails the test where that fails.
func (n *Network) must(result any, method string, params ...any) {
	n.t.Helper()
	if err := n.Call(n.t.Context(), result, method, params...); err != nil {
		n.t.Fatalf("nodetest: %v", err)
	}
}

// call calls a method and decodes its result.
func call[Result any](n *Network, method string, params ...any) (Result, error) {
	var result Result
	err := n.Call(n.t.Context(), &result, method, params...)
	return result, err
}

// quantity is a number as hex text.
type quantity uint64

func (q *quantity) UnmarshalJSON(text []byte) error {
	var hex string
	if err := json.Unmarshal(text, &hex); err != nil {
		return err
	}
	if _, err := fmt.Sscanf(hex, "0x%x", (*uint64)(q)); err != nil {
		return errors.New(hex + " is no quantity")
	}
	return nil
}
