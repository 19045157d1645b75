package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// recurses is code that calls itself as deep as its gas allows, again and again.
const recurses = "0x5b5f5f5f5f5f305af1505f56"

const (
	// overtime is how much longer than its limit a request may take.
	overtime = 2 * time.Second
	// mostMemory is by how much the memory of the process may grow while it answers one request, in MiB. What it had of
	// the attacks before, such as answers of 256 MiB, is not the request's.
	mostMemory = 512
)

// deepTraces asks for traces of code that calls itself. Each ends by its time or its size.
func (n *node) deepTraces() error {
	const timeout = time.Second
	slowest, largest := time.Duration(0), 0
	for _, tracer := range []map[string]any{
		{"limit": 1 << 30}, {"tracer": "callTracer"}, {"tracer": "flatCallTracer"}, {"tracer": "erc7562Tracer"}, {"tracer": "prestateTracer"},
		{"tracer": "keccak256PreimageTracer"}, {"tracer": "muxTracer", "tracerConfig": map[string]any{"callTracer": nil, "flatCallTracer": nil}},
		{"tracer": "{list: [], enter: function(f) {this.list.push(f.getInput())}, exit: function() {}, result: function() {return this.list}, fault: function() {}}"},
	} {
		tracer["timeout"], tracer["stateOverrides"] = timeout.String(), overridden(recurses)
		for _, gas := range []string{"0xfed260", "0x2faf080"} { // 16.7 and 50 million
			took, memory, err := n.cost(request("debug_traceCall", map[string]any{"to": called, "gas": gas}, "latest", tracer))
			if err != nil {
				return fmt.Errorf("%v: %w", tracer["tracer"], err)
			}
			slowest, largest = max(slowest, took), max(largest, memory)
			if took > timeout+overtime || memory > mostMemory {
				return fmt.Errorf("%v with gas %s took %s and %d MiB", tracer["tracer"], gas, took, memory)
			}
		}
	}
	fmt.Printf("deep traces took at most %s and %d MiB\n", slowest.Round(time.Millisecond), largest)
	return nil
}

// cost makes a request and returns how long it took and how many more MiB of memory the node had at most meanwhile.
func (n *node) cost(body []byte) (took time.Duration, memory int, err error) {
	if err := n.forgetPeak(); err != nil {
		return 0, 0, err
	}
	before, err := n.memory("VmHWM")
	if err != nil {
		return 0, 0, err
	}
	began := time.Now()
	if _, err := n.post("/", body); err != nil {
		return 0, 0, err
	}
	took = time.Since(began)
	memory, err = n.memory("VmHWM")
	return took, memory - before, err
}

// memory returns a figure of the process in MiB.
func (n *node) memory(name string) (int, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", n.process.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), name+":")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0, errors.New("no " + name + " in the status of the process")
	}
	kib, err := strconv.Atoi(fields[0])
	return kib >> 10, err
}

// forgetPeak begins VmHWM anew.
func (n *node) forgetPeak() error {
	return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", n.process.Process.Pid), []byte("5"), 0)
}

// abandon makes so many requests at once, each of which is given up after a moment, and asks the node for something
// small meanwhile and right after.
func (n *node) abandon(times int, body []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	var clients sync.WaitGroup
	for range times {
		clients.Go(func() {
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+n.address, bytes.NewReader(body))
			if err != nil {
				return
			}
			req.Header.Set("Content-Type", "application/json")
			if answer, err := n.http.Do(req); err == nil {
				_ = answer.Body.Close()
			}
		})
	}
	clients.Wait()
	began := time.Now()
	if _, err := n.text("eth_chainId"); err != nil {
		return err
	}
	if took := time.Since(began); took > gapLimit {
		return fmt.Errorf("eth_chainId took %s after %d clients had left", took, times)
	}
	return nil
}

// abandonedTraces leaves while the node traces.
func (n *node) abandonedTraces() error {
	tracer := map[string]any{"tracer": "callTracer", "timeout": "5m", "stateOverrides": overridden(recurses)}
	return n.abandon(50, request("debug_traceCall", map[string]any{"to": called, "gas": "0x2faf080"}, "latest", tracer))
}

// abandonedDumps leaves while the node dumps its state, again and again.
func (n *node) abandonedDumps() error {
	call := string(request("anvil_dumpState"))
	return n.abandon(500, []byte("["+strings.Repeat(call+",", 99)+call+"]"))
}

// largeHeld sets filters and holds of 200,000 hashes until the node refuses one of each.
func (n *node) largeHeld() error {
	hashes := make([]string, 200_000)
	for i := range hashes {
		hashes[i] = fmt.Sprintf("0x%064x", i)
	}
	var ids []string
	for len(ids) < 100 {
		id, err := n.text("eth_newFilter", map[string]any{"topics": []any{hashes}})
		if err != nil {
			break
		}
		ids = append(ids, id)
	}
	holds := 0
	for holds < 100 && n.do(step{"fakenode_hold", []any{map[string]any{"hashes": hashes}}}) == nil {
		holds++
	}
	fmt.Printf("the node took %d filters and %d holds of %d hashes\n", len(ids), holds, len(hashes))
	for _, id := range ids {
		if err := n.do(step{"eth_uninstallFilter", []any{id}}); err != nil {
			return err
		}
	}
	if len(ids) == 100 || holds == 100 {
		return errors.New("the node refused none")
	}
	return n.do(step{"fakenode_release", nil})
}
