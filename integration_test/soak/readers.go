package main

import (
	"bytes"
	"fmt"
	"time"

	"github.com/gorilla/websocket"
)

const (
	// readers is how many clients subscribe to four streams each: every other one reads, the rest never do.
	readers = 400
	// gapLimit is how long another client may wait for an answer meanwhile. What they are told takes longer to send.
	gapLimit = 2 * time.Second
)

// manyReaders makes 20,000 events for the readers, and asks meanwhile: on a connection with a subscription and over
// HTTP.
func (n *node) manyReaders() error {
	if err := n.do(step{"fakenode_preconfirm", nil}); err != nil {
		return err
	}
	var sockets []*websocket.Conn
	defer func() {
		for _, ws := range sockets {
			_ = ws.Close()
		}
	}()
	var all [][]byte
	for _, kind := range []string{"newHeads", "logs", "newFlashblocks", "newPendingTransactions"} {
		all = append(all, request("eth_subscribe", kind))
	}
	for i := range readers {
		ws, err := n.dial(all...)
		if err != nil {
			return err
		}
		sockets = append(sockets, ws)
		if i%2 == 0 {
			go func() {
				for {
					if _, _, err := ws.NextReader(); err != nil {
						return
					}
				}
			}()
		}
	}
	ws, err := n.dial(all[0])
	if err != nil {
		return err
	}
	sockets = append(sockets, ws)
	made := make(chan error, 1)
	go func() {
		copies := step{"fakenode_flashblockFault", []any{map[string]any{"kind": "duplicate", "count": 10_000}}}
		made <- n.do(copies, copies, step{"fakenode_seal", []any{100}})
	}()
	slowest, err := n.askMeanwhile(ws, made)
	fmt.Printf("beside %d readers the slowest answer took %s\n", readers, slowest.Round(time.Millisecond))
	if err == nil && slowest > gapLimit {
		err = fmt.Errorf("an answer took %s", slowest)
	}
	return err
}

// askMeanwhile asks until something came from made, and some more, and returns how long the slowest answer took.
func (n *node) askMeanwhile(ws *websocket.Conn, made <-chan error) (slowest time.Duration, err error) {
	const more = 100 // questions
	for left := more; left > 0; time.Sleep(5 * time.Millisecond) {
		select {
		case err := <-made:
			if err != nil {
				return slowest, err
			}
			made = nil
		default:
		}
		if made == nil {
			left--
		}
		for _, ask := range []func() error{
			func() error { return chainID(ws) },
			func() error { return n.do(step{"eth_chainId", nil}) },
		} {
			began := time.Now()
			if err := ask(); err != nil {
				return slowest, err
			}
			slowest = max(slowest, time.Since(began))
		}
	}
	return slowest, nil
}

// chainID calls eth_chainId and reads until the answer comes, behind notifications.
func chainID(ws *websocket.Conn) error {
	if err := ws.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":"asked","method":"eth_chainId","params":[]}`)); err != nil {
		return err
	}
	for {
		_, message, err := ws.ReadMessage()
		if err != nil || bytes.Contains(message, []byte(`"id":"asked"`)) {
			return err
		}
	}
}
