package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// startLimit is how long a node may take to answer.
const startLimit = 30 * time.Second

// node is a running node.
type node struct {
	process *exec.Cmd
	address string
	started time.Duration // from its start to its first answer
}

// start runs a command and waits until it answers on the port.
func start(words []string, port int) (*node, error) {
	n := &node{process: exec.Command(words[0], words[1:]...), address: "127.0.0.1:" + strconv.Itoa(port)}
	began := time.Now()
	if err := n.process.Start(); err != nil {
		return nil, err
	}
	for ; time.Since(began) < startLimit; time.Sleep(200 * time.Microsecond) {
		c, err := dial(n.address)
		if err != nil {
			continue
		}
		var id string
		err = c.call(&id, "eth_chainId")
		c.close()
		if err == nil {
			n.started = time.Since(began)
			return n, nil
		}
	}
	n.stop()
	return nil, errors.New("it does not answer")
}

func (n *node) stop() {
	_ = n.process.Process.Signal(syscall.SIGTERM)
	_ = n.process.Wait()
}

// memory returns how much physical memory the node uses, in MiB.
func (n *node) memory() (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", n.process.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kibibytes, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	return kibibytes / 1024, err
}

// cpu is the processor time the node used so far.
func (n *node) cpu() (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", n.process.Process.Pid))
	if err != nil {
		return 0, err
	}
	const tick = 10 * time.Millisecond // of Linux on all architectures that Go knows
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	user, _ := strconv.Atoi(fields[11])
	system, err := strconv.Atoi(fields[12])
	return time.Duration(user+system) * tick, err
}
