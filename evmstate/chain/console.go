package chain

import (
	"context"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
)

// ConsoleAddress receives the calls of console.log in Hardhat's and Foundry's libraries: "console.log" in ASCII. It has
// no code.
var ConsoleAddress = common.HexToAddress("0x000000000000000000636F6e736F6c652e6c6f67")

// Limits of the console calls kept for one transaction.
const (
	maxConsoleCalls = 1_000
	maxConsoleBytes = 256 << 10
)

// consoleCalls are the data of a transaction's calls of the console, in order.
type consoleCalls struct {
	index int // of the transaction
	data  [][]byte
}

// consoleOf executes again a transaction that has called the console and returns the data of these calls, also of
// reverted ones. So other transactions pay nothing for it.
func (d *Draft) consoleOf(tx *types.Transaction, msg *core.Message) consoleCalls {
	calls, size := consoleCalls{index: d.transactions.len()}, 0
	m := d.chain.Machine(d.state, d.block, vm.Config{Tracer: &tracing.Hooks{
		OnEnter: func(_ int, _ byte, _, to common.Address, input []byte, _ uint64, _ *big.Int) {
			if to == ConsoleAddress && len(calls.data) < maxConsoleCalls && size+len(input) <= maxConsoleBytes {
				size += len(input)
				calls.data = append(calls.data, slices.Clone(input))
			}
		},
	}})
	defer m.Release()
	if _, err := d.levy(m, tx); err != nil {
		return calls
	}
	_, _, _ = m.Apply(context.Background(), msg, d.pool.Snapshot()) // it has succeeded just before
	return calls
}

// consoleIn returns the data of transaction i's calls of the console.
func consoleIn(all []consoleCalls, i int) [][]byte {
	for _, calls := range all {
		if calls.index == i {
			return calls.data
		}
	}
	return nil
}

// Console returns the data of the first 1,000 calls of ConsoleAddress, or 256 KiB of them, that transaction i made, in
// order; nil if it made none.
func (d *Draft) Console(i int) [][]byte { return consoleIn(d.console, i) }

// Console returns the data of transaction i's calls of the console, as Draft.Console does. Blocks that were imported or
// read from a file have none.
func (b *Block) Console(i int) [][]byte { return consoleIn(b.own().console, i) }
