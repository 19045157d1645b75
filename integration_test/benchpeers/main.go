// Command benchpeers measures local chain nodes beside each other, over HTTP, and prints a table in Markdown. Nodes
// take turns, so that whatever else the machine does hits all of them, and the best round counts.
//
//	go run ./integration_test/benchpeers 'fakenode=dist/fakenode --port {port} --seal instant --quiet' 'anvil=anvil --port {port} --silent'
//
// A node must seal each transaction at once and fund the first account of the development mnemonic.
package main

import (
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	rounds := flag.Int("rounds", 3, "rounds; the best counts")
	load := load{}
	flag.IntVar(&load.connections, "connections", 8, "connections of the request rates")
	flag.DurationVar(&load.time, "time", 2*time.Second, "time of each request rate")
	flag.IntVar(&load.transactions, "transactions", 500, "transfers of the transaction rate")
	flag.Parse()
	if flag.NArg() == 0 {
		log.Fatal("benchpeers: want arguments name=command, with {port} in the command")
	}

	names := make([]string, flag.NArg())
	best := make([]figures, flag.NArg())
	for range *rounds {
		for i, argument := range flag.Args() {
			name, command, ok := strings.Cut(argument, "=")
			if !ok {
				log.Fatalf("benchpeers: %q is not name=command", argument)
			}
			measured, err := measure(command, load)
			if err != nil {
				log.Fatalf("benchpeers: %s: %v", name, err)
			}
			names[i] = name
			best[i] = best[i].better(measured)
		}
	}
	printTable(names, best)
}

// measure starts a node, puts the load on it and ends it.
func measure(command string, l load) (figures, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	words := strings.Fields(strings.ReplaceAll(command, "{port}", strconv.Itoa(port)))
	n, err := start(words, port)
	if err != nil {
		return nil, err
	}
	defer n.stop()
	return l.run(n)
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// figure is one line of the table.
type figure struct {
	name  string
	value float64
	more  bool // more is better
}

type figures []figure

// better keeps the better value of each line.
func (f figures) better(other figures) figures {
	if f == nil {
		return other
	}
	f = slices.Clone(f)
	for i := range f {
		if (other[i].value > f[i].value) == f[i].more {
			f[i] = other[i]
		}
	}
	return f
}

// printTable prints each figure for each node, and for the others how many times better the first node is.
func printTable(names []string, nodes []figures) {
	out := os.Stdout
	fmt.Fprintf(out, "| |")
	for _, name := range names {
		fmt.Fprintf(out, " %s |", name)
	}
	fmt.Fprintf(out, "\n|---|%s\n", strings.Repeat("---:|", len(names)))
	for line, first := range nodes[0] {
		fmt.Fprintf(out, "| %s |", first.name)
		for i := range nodes {
			value := nodes[i][line].value
			fmt.Fprintf(out, " %s", strconv.FormatFloat(value, 'f', decimals(value), 64))
			if i > 0 {
				ratio := value / first.value
				if first.more {
					ratio = first.value / value
				}
				fmt.Fprintf(out, " (%.2f ×)", ratio)
			}
			fmt.Fprint(out, " |")
		}
		fmt.Fprintln(out)
	}
}

func decimals(value float64) int {
	if value < 100 {
		return 1
	}
	return 0
}
