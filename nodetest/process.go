package nodetest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// process is a running node, shared by all tests that ask for the same flags. It ends with the tests, whatever ends
// them: it reads its standard input, a pipe that the system closes when this process is gone.
type process struct {
	config config
	how    string // which program it is
	log    *lines
	input  io.WriteCloser // held open
}

// config is the file of --config-out.
type config struct {
	Main, Testnet struct {
		URL          string
		WebSocketURL string
		ChainID      uint64
		Token        string
	}
	L1 *struct {
		URL          string
		WebSocketURL string
	}
	Accounts   []Account
	TokenOwner Account
}

// processes has one entry for each list of flags that a test asked for.
var (
	processesMu sync.Mutex
	processes   = map[string]func() (*process, error){}
)

// processFor returns the process with the flags, and starts it if there is none.
func processFor(flags []string) (*process, error) {
	key := strings.Join(flags, "\x00")
	processesMu.Lock()
	start, found := processes[key]
	if !found {
		start = sync.OnceValues(func() (*process, error) { return launch(flags) })
		processes[key] = start
	}
	processesMu.Unlock()
	return start()
}

// arguments returns the command line: the flags, what stands for none of them, and what this package needs.
func arguments(flags []string, own ...string) []string {
	given := append([]string{"--port=0"}, flags...)
	if !names(flags, "preset") && os.Getenv("FAKENODE_PRESET") == "" {
		for _, standard := range []string{"seal=manual", "compat=geth"} {
			name, _, _ := strings.Cut(standard, "=")
			if !names(flags, name) && os.Getenv("FAKENODE_"+strings.ToUpper(name)) == "" {
				given = append(given, "--"+standard)
			}
		}
	}
	return append(given, append(own, "--quiet", "--exit-with-stdin")...)
}

// names reports whether one of the flags is that of the name.
func names(flags []string, name string) bool {
	return slices.ContainsFunc(flags, func(flag string) bool {
		flag, _, _ = strings.Cut(strings.TrimLeft(flag, "-"), "=")
		return flag == name
	})
}

// launch starts the program and returns once it serves.
func launch(flags []string) (*process, error) {
	found, err := program()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "nodetest-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "node.json")
	command := exec.Command(found.path, arguments(flags, "--config-out="+file)...)
	p := &process{log: &lines{}, how: found.how}
	if p.input, err = command.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	stderr, err := command.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("%s does not run: %w", found.path, err)
	}
	complained := make(chan struct{})
	go func() {
		defer close(complained)
		p.log.read(stderr)
	}()
	listens := bufio.NewReader(stdout)
	if _, err := listens.ReadString('\n'); err != nil {
		<-complained
		return nil, fmt.Errorf("%s: %w\n%s", command, command.Wait(), strings.Join(p.log.since(0), "\n"))
	}
	go p.log.read(listens)
	written, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return p, json.Unmarshal(written, &p.config)
}

// lines holds the output of a node. Safe for concurrent use.
type lines struct {
	mu      sync.Mutex
	dropped int // how many of the oldest are gone
	kept    []string
}

// mostLines is how many lines of a node are kept.
const mostLines = 10_000

func (l *lines) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.kept = append(l.kept, line); len(l.kept) > mostLines {
		l.dropped += mostLines / 2
		l.kept = slices.Clone(l.kept[mostLines/2:])
	}
}

func (l *lines) read(from io.Reader) {
	for scanner := bufio.NewScanner(from); scanner.Scan(); {
		l.add(scanner.Text())
	}
	_, _ = io.Copy(io.Discard, from) // after a line that is too long, so that the node does not wait for a reader
}

// count returns how many lines there were so far.
func (l *lines) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dropped + len(l.kept)
}

// since returns the lines from a count on that are still kept.
func (l *lines) since(count int) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.kept[min(max(count-l.dropped, 0), len(l.kept)):])
}
