package main

import (
	"fmt"
	"time"

	"github.com/gorilla/websocket"
)

// Development accounts, whose keys the node has.
var accounts = []string{
	"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
	"0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC", "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
}

// token is the payment token.
const token = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"

// mixedLoad is one virtual hour: subscribers, those that read and one that does not, filters that are read and left,
// payments, faults, reorgs, snapshots, traces, simulations, and a world.
func mixedLoad(n *node, hour int) error {
	closeReaders, err := n.subscribers()
	if err != nil {
		return err
	}
	defer closeReaders()
	filter, err := n.text("eth_newFilter", map[string]any{"address": token})
	if err != nil {
		return err
	}
	left, err := n.text("eth_newBlockFilter")
	if err != nil {
		return err
	}
	var sent []string
	for quarter := range 4 {
		for i := range 10 {
			hash, err := n.text("eth_sendTransaction", payment(hour*40+quarter*10+i))
			if err != nil {
				return err
			}
			sent = append(sent, hash)
		}
		if err := n.do(
			step{"fakenode_preconfirm", nil},
			step{"fakenode_advance", []any{(15 * time.Minute).Milliseconds()}},
			step{"eth_getFilterChanges", []any{filter}},
		); err != nil {
			return err
		}
	}
	last := sent[len(sent)-1]
	if err := n.do(
		step{"eth_getTransactionReceipt", []any{last}},
		step{"debug_traceTransaction", []any{last, map[string]any{"tracer": "callTracer"}}},
		step{"eth_getLogs", []any{map[string]any{"address": token, "fromBlock": "earliest", "toBlock": "pending"}}},
		step{"eth_simulateV1", []any{map[string]any{"blockStateCalls": []any{map[string]any{"calls": []any{payment(hour)}}}}, "pending"}},
		step{"fakenode_setFault", []any{map[string]any{"method": "eth_call", "times": 3, "truncate": 10}}},
		step{"fakenode_flashblockFault", []any{map[string]any{"kind": "duplicate"}}},
		step{"fakenode_clearFaults", nil},
		step{"fakenode_reorg", []any{map[string]any{"depth": 1 + hour%5}}},
		step{"eth_uninstallFilter", []any{filter}},
		step{"eth_uninstallFilter", []any{left}},
	); err != nil {
		return err
	}
	if hour%8 == 7 { // evm_revert ends the snapshot, which keeps the states of its blocks
		snapshot, err := n.text("evm_snapshot")
		if err != nil {
			return err
		}
		if err := n.do(step{"fakenode_seal", []any{100}}, step{"evm_revert", []any{snapshot}}); err != nil {
			return err
		}
	}
	return n.world(fmt.Sprintf("hour%d", hour))
}

// payment is a transfer of one token unit between two of the accounts.
func payment(i int) map[string]any {
	return map[string]any{
		"from": accounts[i%len(accounts)], "to": token, "gas": "0x20000",
		"data": "0xa9059cbb000000000000000000000000" + accounts[(i+1)%len(accounts)][2:] + fmt.Sprintf("%064x", 1),
	}
}

// step is a call whose result nobody needs.
type step struct {
	method string
	params []any
}

// do makes the calls one after another.
func (n *node) do(steps ...step) error {
	for _, s := range steps {
		if _, err := n.call("/", s.method, s.params...); err != nil {
			return err
		}
	}
	return nil
}

// subscribers opens a reader of each kind of subscription, and one of all that does not read.
func (n *node) subscribers() (closeAll func(), err error) {
	var sockets []*websocket.Conn
	closeAll = func() {
		for _, ws := range sockets {
			_ = ws.Close()
		}
	}
	var all [][]byte
	for _, kind := range []string{"newHeads", "logs", "pendingLogs", "newPendingTransactions"} {
		params := []any{kind}
		if kind != "newHeads" && kind != "newPendingTransactions" {
			params = append(params, map[string]any{"address": token})
		}
		all = append(all, request("eth_subscribe", params...))
		ws, err := n.dial(all[len(all)-1])
		if err != nil {
			return closeAll, err
		}
		sockets = append(sockets, ws)
		go func() {
			for {
				if _, _, err := ws.ReadMessage(); err != nil {
					return
				}
			}
		}()
	}
	ws, err := n.dial(all...)
	if err == nil {
		sockets = append(sockets, ws)
	}
	return closeAll, err
}

// world makes a world, uses it and closes it.
func (n *node) world(name string) error {
	if err := n.do(step{"fakenode_newWorld", []any{map[string]any{"name": name}}}); err != nil {
		return err
	}
	path := "/w/" + name
	for _, s := range []step{
		{"eth_sendTransaction", []any{payment(1)}},
		{"fakenode_seal", []any{100}},
		{"fakenode_reorg", []any{map[string]any{"depth": 2, "transactions": "drop"}}},
	} {
		if _, err := n.call(path, s.method, s.params...); err != nil {
			return err
		}
	}
	return n.do(step{"fakenode_closeWorld", []any{name}})
}
