package main

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// called is an account whose code the attacks override.
const called = "0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

// Code that loops for ever, and code that returns or reverts with 1 MB.
const (
	loops   = "0x5b600056"
	returns = "0x620f42405ff3"
	reverts = "0x620f42405ffd"
)

// answerLimit is how long any of the attacks may take to be answered: all of them are to be refused or cut off.
const answerLimit = 3 * time.Minute

// attackRound tries to exhaust the node's memory and time in every way we know of, and then asks whether it still
// serves. Attacks whose names do not contain only are left out.
func attackRound(n *node, only string) error {
	for _, attack := range []struct {
		name string
		run  func(*node) error
	}{
		{"tracer that never ends", (*node).endlessTracers},
		{"answers larger than memory", (*node).largeAnswers},
		{"state that unpacks to more than memory", (*node).unpackedState},
		{"traces of code that calls itself", (*node).deepTraces},
		{"traces that nobody waits for", (*node).abandonedTraces},
		{"dumps that nobody waits for", (*node).abandonedDumps},
		{"filters and holds of 200,000 hashes", (*node).largeHeld},
		{"filters nobody reads", (*node).unreadFilters},
		{"clients that do not read", (*node).deafClients},
		{"400 readers with four subscriptions each", (*node).manyReaders},
		{"clients that do not write", (*node).muteClients},
		{"malformed messages", (*node).malformed},
	} {
		if !strings.Contains(attack.name, only) {
			continue
		}
		began := time.Now()
		if err := attack.run(n); err != nil {
			return fmt.Errorf("%s: %w", attack.name, err)
		}
		if took := time.Since(began); took > answerLimit {
			return fmt.Errorf("%s: took %s", attack.name, took)
		}
		if _, err := n.text("eth_chainId"); err != nil {
			return fmt.Errorf("after %s: %w", attack.name, err)
		}
	}
	return nil
}

// refused returns an error unless the call fails with an answer.
func (n *node) refused(method string, params ...any) error {
	text, err := n.post("/", request(method, params...))
	if err != nil {
		return err
	}
	if !bytes.Contains(text, []byte(`"error"`)) {
		return fmt.Errorf("%s was answered with %.200s", method, text)
	}
	return nil
}

// overridden is the state override that gives the called account code.
func overridden(code string) map[string]any {
	return map[string]any{called: map[string]any{"code": code}}
}

func (n *node) endlessTracers() error {
	for _, tracer := range []string{
		"(function(){while(true);})()",
		"{setup: function(){while(true);}, result: function(){}, fault: function(){}}",
		"{result: function(){while(true);}, fault: function(){}}",
		"{result: function(){var a=[]; a[0]=a; return JSON.stringify(a)}, fault: function(){}}",
		"{result: function(){var a=[]; for (var i=0;i<60;i++) a=[a,a]; return String(a)}, fault: function(){}}",
		"{result: function(){return 'x'.repeat(2e9)}, fault: function(){}}",
		strings.Repeat("(", 5_000_000),
		"{result: function(){return /^(?=a)(a+)+$/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!')}, fault: function(){}}",
	} {
		config := map[string]any{"tracer": tracer, "timeout": "100ms"}
		if err := n.refused("debug_traceCall", map[string]any{"to": called}, "latest", config); err != nil {
			return err
		}
	}
	return nil
}

func (n *node) largeAnswers() error {
	to := map[string]any{"to": called, "gas": "0x2faf080"}
	logs, err := n.post("/", request("debug_traceCall", to, "latest", map[string]any{"stateOverrides": overridden(loops), "enableMemory": true}))
	if err != nil {
		return err
	}
	if len(logs) > 48<<20 { // they end at 32 MiB, unless time ends first
		return fmt.Errorf("struct logs have %d bytes", len(logs))
	}
	for _, code := range []string{returns, reverts} {
		call := request("eth_call", to, "latest", overridden(code))
		batch := "[" + strings.Repeat(string(call)+",", 999) + string(call) + "]"
		text, err := n.post("/", []byte(batch))
		if err != nil {
			return err
		}
		if !bytes.Contains(text, []byte("the limit is")) {
			return fmt.Errorf("1,000 calls of 1 MB were answered with %d bytes", len(text))
		}
	}
	return nil
}

func (n *node) unpackedState() error {
	var packed bytes.Buffer
	writer, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	if err != nil {
		return err
	}
	zeros := make([]byte, 1<<20)
	for range 1 << 10 { // 1 GiB
		if _, err := writer.Write(zeros); err != nil {
			return err
		}
	}
	if err := writer.Close(); err != nil {
		return err
	}
	return n.refused("anvil_loadState", "0x"+hex.EncodeToString(packed.Bytes()))
}

func (n *node) unreadFilters() error {
	var ids []string
	for range 1_000 {
		id, err := n.text("eth_newBlockFilter")
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	began := time.Now()
	if err := n.do(step{"fakenode_seal", []any{100}}); err != nil {
		return err
	}
	if took := time.Since(began); took > 5*time.Second {
		return fmt.Errorf("100 blocks beside them took %s", took)
	}
	for _, id := range ids {
		if err := n.do(step{"eth_uninstallFilter", []any{id}}); err != nil {
			return err
		}
	}
	return nil
}

func (n *node) deafClients() error {
	var sockets []*websocket.Conn
	defer func() {
		for _, ws := range sockets {
			_ = ws.Close()
		}
	}()
	for range 50 {
		ws, err := n.dial(request("eth_subscribe", "newHeads"), request("eth_subscribe", "newPendingTransactions", true))
		if err != nil {
			return err
		}
		sockets = append(sockets, ws)
	}
	for i := range 20 {
		if err := n.do(step{"eth_sendTransaction", []any{payment(i)}}, step{"fakenode_seal", []any{50}}); err != nil {
			return err
		}
	}
	return nil
}

func (n *node) muteClients() error {
	var connections []net.Conn
	defer func() {
		for _, conn := range connections {
			_ = conn.Close()
		}
	}()
	const head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
	for _, text := range []string{"", "POST / HT", head, head + "Content-Length: 5000000\r\n\r\n{", head + "Transfer-Encoding: chunked\r\n\r\nfffff\r\n["} {
		for range 20 {
			conn, err := n.raw(text)
			if err != nil {
				return err
			}
			connections = append(connections, conn)
		}
	}
	return nil
}

func (n *node) malformed() error {
	for _, body := range []string{
		"", "{", "[]", "null", "\xff\xfe", strings.Repeat("[", 100_000), `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("a", 1<<20) + `"}`,
		`{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[` + strings.Repeat(`{"topics":[`, 50_000) + "]}",
	} {
		text, err := n.post("/", []byte(body))
		if err != nil {
			return err
		}
		var answer struct{ Error json.RawMessage }
		if json.Unmarshal(text, &answer) != nil || answer.Error == nil {
			return errors.New("malformed JSON was answered with " + fmt.Sprintf("%.200s", text))
		}
	}
	return nil
}
