// Command suitememory runs a long test suite's worth of calls against a node and prints the memory that the node has
// resident, on Linux. It is for the developers of fakenode:
//
//	go run ./integration_test/suitememory dist/fakenode --preset anvil
//	go run ./integration_test/suitememory -snapshot-every 4 dist/fakenode --preset anvil
//
// Of 24,000 transactions, each of them in a block and followed by a receipt and a call, every fourth deploys 20 KB of
// the same code with another argument at its end. Now and then filters are installed that nobody reads, and calls fail
// by a fault. With -snapshot-every N the suite also takes a snapshot after every N transactions and goes back to none.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/fakenode/fakenode/fixtures"
)

const (
	total      = 24_000
	deployment = 4 // every fourth transaction
	codeSize   = 20_000
)

func main() {
	every := flag.Int("snapshot-every", 0, "take a snapshot after so many transactions; 0: none")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "suitememory: name the binary, and flags for it")
		os.Exit(2)
	}
	if err := run(context.Background(), *every, flag.Arg(0), flag.Args()[1:]...); err != nil {
		fmt.Fprintln(os.Stderr, "suitememory:", err)
		os.Exit(1)
	}
}

// run plays the suite against the binary, with a snapshot after every so many transactions.
func run(ctx context.Context, every int, binary string, flags ...string) error {
	node := exec.CommandContext(ctx, binary, append(flags, "--port", "0", "--quiet")...)
	stdout, err := node.StdoutPipe()
	if err != nil {
		return err
	}
	if err := node.Start(); err != nil {
		return err
	}
	defer func() { _ = node.Process.Kill(); _ = node.Wait() }()
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return fmt.Errorf("the node did not start: %w", err)
	}
	client, err := rpc.Dial("http://" + strings.TrimSpace(strings.TrimPrefix(line, "Listening on ")))
	if err != nil {
		return err
	}
	accounts, err := fixtures.Accounts(fixtures.DevMnemonic, 1)
	if err != nil {
		return err
	}
	s := suite{client: client, from: accounts[0]}
	for i := range total {
		if err := s.step(ctx, i); err != nil {
			return fmt.Errorf("transaction %d: %w", i, err)
		}
		if every > 0 && (i+1)%every == 0 {
			if err := client.CallContext(ctx, nil, "evm_snapshot"); err != nil {
				return fmt.Errorf("snapshot after transaction %d: %w", i, err)
			}
		}
		if (i+1)%(total/6) == 0 {
			resident, err := residentOf(node.Process.Pid)
			if err != nil {
				return err
			}
			fmt.Printf("%6d blocks: %s resident\n", i+1, resident)
		}
	}
	return nil
}

// suite sends the transactions of a test suite, one after the other.
type suite struct {
	client   *rpc.Client
	from     fixtures.Account
	deployed common.Address
}

// storing is the code of a contract that stores word 1 of its input at slot word 0 and logs it.
var storing = append(common.FromHex("6020356000355560203560003560006020a200"), noise()...)

// noise returns bytes that no compression would make smaller.
func noise() []byte {
	var code []byte
	for hash := crypto.Keccak256(nil); len(code) < codeSize; hash = crypto.Keccak256(hash) {
		code = append(code, hash...)
	}
	return code
}

// step sends a transaction, reads its receipt, calls the contract, and installs filters and faults now and then.
func (s *suite) step(ctx context.Context, i int) error {
	if i == 0 {
		for _, method := range []string{"eth_newBlockFilter", "eth_newPendingTransactionFilter"} {
			if err := s.client.CallContext(ctx, nil, method); err != nil {
				return err
			}
		}
	}
	tx := &types.DynamicFeeTx{ChainID: big.NewInt(31337), Nonce: uint64(i), Gas: 6_000_000, GasFeeCap: big.NewInt(3e9), GasTipCap: big.NewInt(1)}
	if i%deployment == 0 {
		s.deployed = crypto.CreateAddress(s.from.Address, tx.Nonce)
		tx.Data = append(common.FromHex(fmt.Sprintf("61%04x80600a6000396000f3", len(storing))), storing...)
		tx.Data = append(tx.Data, common.BigToHash(big.NewInt(int64(i))).Bytes()...)
	} else {
		tx.To, tx.Gas = &s.deployed, 100_000
		tx.Data = append(common.BigToHash(big.NewInt(int64(i%7))).Bytes(), common.BigToHash(big.NewInt(int64(i))).Bytes()...)
	}
	signed, err := types.SignNewTx(s.from.Key, types.LatestSignerForChainID(tx.ChainID), tx)
	if err != nil {
		return err
	}
	raw, err := signed.MarshalBinary()
	if err != nil {
		return err
	}
	var receipt types.Receipt
	err = errors.Join(
		s.client.CallContext(ctx, nil, "eth_sendRawTransaction", hexutil.Encode(raw)),
		s.client.CallContext(ctx, &receipt, "eth_getTransactionReceipt", signed.Hash()),
		s.client.CallContext(ctx, nil, "eth_call", map[string]any{"to": s.deployed, "data": hexutil.Bytes(make([]byte, 64))}, "latest"),
	)
	if err == nil && receipt.Status != types.ReceiptStatusSuccessful {
		err = errors.New("reverted")
	}
	if err != nil || i%50 != 0 {
		return err
	}
	fault := map[string]any{"method": "eth_gasPrice", "times": 1, "error": map[string]any{"code": -32000, "message": "fault"}}
	err = errors.Join(
		s.client.CallContext(ctx, nil, "eth_newFilter", map[string]any{"address": s.deployed}),
		s.client.CallContext(ctx, nil, "fakenode_setFault", fault),
	)
	if s.client.CallContext(ctx, nil, "eth_gasPrice") == nil {
		err = errors.Join(err, errors.New("the fault did not strike"))
	}
	return err
}

// residentOf returns the memory of a process that is in use, as Linux reports it.
func residentOf(pid int) (string, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return "", err
	}
	for line := range bytes.Lines(status) {
		if resident, ok := bytes.CutPrefix(line, []byte("VmRSS:")); ok {
			var kilobytes int
			_, err := fmt.Sscanf(string(resident), "%d kB", &kilobytes)
			return fmt.Sprintf("%d MiB", kilobytes/1024), err
		}
	}
	return "", errors.New("no VmRSS in the status of the process")
}
