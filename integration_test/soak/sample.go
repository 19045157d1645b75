package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// sample reports the size of a node between two steps, when no client is connected.
type sample struct {
	blocks      float64
	heap        float64 // live heap after a collection, in MiB
	resident    float64 // physical memory, in MiB
	goroutines  float64
	descriptors float64
}

func (s sample) String() string {
	return fmt.Sprintf("%7.0f blocks, heap %6.1f MiB, resident %6.1f MiB, %3.0f goroutines, %3.0f descriptors",
		s.blocks, s.heap, s.resident, s.goroutines, s.descriptors)
}

// settleLimit is how long the goroutines and sockets of clients that left may take to end.
const settleLimit = 10 * time.Second

// idleGoroutines is how many goroutines a node without clients may have, with those of the calls that look at it.
const idleGoroutines = 12

// sample waits until what clients left behind has ended, and looks.
func (n *node) sample() (s sample, err error) {
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		n.http.CloseIdleConnections()
		if s.goroutines, err = n.profiled("goroutine?debug=1", `profile: total (\d+)`); err != nil {
			return s, err
		}
		if s.goroutines <= idleGoroutines || time.Since(began) > settleLimit {
			break
		}
	}
	for range 2 { // what a sync.Pool has survives the first collection
		if s.heap, err = n.profiled("heap?gc=1&debug=1", `# HeapAlloc = (\d+)`); err != nil {
			return s, err
		}
	}
	s.heap /= 1 << 20
	head, err := n.text("eth_blockNumber")
	if err != nil {
		return s, err
	}
	number, err := strconv.ParseUint(head, 0, 64)
	if err != nil {
		return s, err
	}
	s.blocks = float64(number)
	process := fmt.Sprintf("/proc/%d/", n.process.Process.Pid)
	status, err := os.ReadFile(process + "status")
	if err != nil {
		return s, err
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kibibytes, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	if err != nil {
		return s, err
	}
	s.resident = kibibytes / 1024
	open, err := filepath.Glob(process + "fd/*")
	s.descriptors = float64(len(open))
	return s, err
}

// profiled reads one figure of a profile.
func (n *node) profiled(profile, figure string) (float64, error) {
	answer, err := n.http.Get("http://" + n.address + "/debug/pprof/" + profile)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, err
	}
	found := regexp.MustCompile(figure).FindSubmatch(text)
	if found == nil {
		return 0, fmt.Errorf("the profile %s has no %s", profile, figure)
	}
	return strconv.ParseFloat(string(found[1]), 64)
}
