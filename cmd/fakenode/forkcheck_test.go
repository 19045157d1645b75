package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"
)

// Accounts of the contracts of a suite.
const (
	hook   = "0x00000000000000000000000000000000000000a1" // takes a new slot
	stingy = "0x00000000000000000000000000000000000000a2" // calls hook with 50,000 gas
	shop   = "0x00000000000000000000000000000000000000a3" // calls hook with all gas, whatever becomes of it
	wallet = "0x00000000000000000000000000000000000000a4" // takes ether for 2,208 gas, on amsterdam for 2,308
	payer  = "0x00000000000000000000000000000000000000a5" // sends wallet 1 wei as Solidity's transfer does
	till   = "0x00000000000000000000000000000000000000a6" // logs
)

// suite puts the contracts in place.
func suite(w *wire) {
	for address, code := range map[string]*program.Program{ // in any order
		hook:   program.New().Push(1).Op(vm.NUMBER, vm.SSTORE),
		stingy: program.New().Call(uint256.NewInt(50_000), common.HexToAddress(hook), 0, 0, 0, 0, 0),
		shop:   program.New().Call(nil, common.HexToAddress(hook), 0, 0, 0, 0, 0),
		wallet: program.New().Push0().Op(vm.SLOAD, vm.POP, vm.ADDRESS, vm.EXTCODESIZE, vm.POP),
		payer:  program.New().Call(uint256.NewInt(0), common.HexToAddress(wallet), 1, 0, 0, 0, 0),
		till:   program.New().Push0().Push0().Op(vm.LOG0),
	} {
		w.call("/", "anvil_setCode", fmt.Sprintf(`"%s","%s"`, address, hexutil.Encode(code.Op(vm.STOP).Bytes())))
	}
	w.call("/", "anvil_setBalance", `"`+wallet+`","0x1"`)
}

// send sends a transaction of so much gas, as an estimate says for 0.
func send(w *wire, to string, value, gas int, more string) {
	w.t.Helper()
	object := fmt.Sprintf(`{"from":"%s","to":"%s","value":"0x%x"%s`, sender, to, value, more)
	if to == "" {
		object = fmt.Sprintf(`{"from":"%s"%s`, sender, more)
	}
	if gas != 0 {
		object += fmt.Sprintf(`,"gas":"0x%x"`, gas)
	}
	require.Contains(w.t, w.call("/", "eth_sendTransaction", object+"}"), `"result"`)
}

// faults is a transaction for each finding.
var faults = map[string]func(*wire){
	"stipend-2300":        func(w *wire) { send(w, payer, 1, 0, "") },
	"fixed-gas-in-code":   func(w *wire) { send(w, stingy, 0, 5_000_000, "") },
	"fixed-gas-in-client": func(w *wire) { send(w, hook, 0, 60_000, "") },
	"gas-arithmetic":      func(w *wire) { send(w, shop, 0, 110_000, "") },
	"code-size": func(w *wire) {
		send(w, "", 0, 16_000_000, `,"data":"`+hexutil.Encode(program.New().Return(0, 25_000).Bytes())+`"`)
	},
	"transfer-cost": func(w *wire) { send(w, receiver, 0, 21_000, "") },
	"ether-log":     func(w *wire) { send(w, till, 5, 0, "") },
}

// honest makes transactions that assume nothing.
func honest(w *wire) {
	send(w, receiver, 7, 21_000, "")
	send(w, hook, 0, 0, "")
	send(w, hook, 0, 43_700, "") // 43,105 suffice: as go-ethereum and Hardhat estimate
	send(w, shop, 0, 5_000_000, "")
	send(w, till, 0, 0, "")
	send(w, wallet, 3, 0, "")
	send(w, "", 0, 0, `,"data":"`+hexutil.Encode(program.New().Return(0, 500).Bytes())+`"`)
}

// recorded records a suite and returns the file.
func recorded(t *testing.T, run func(*wire)) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "run.rec")
	p := start(t, "--record", file, "--seal", "instant", "--start-time", "1800000000", "--quiet")
	w := &wire{t: t, url: p.url}
	suite(w)
	run(w)
	p.end(t)
	return file
}

// Ensure each planted fault is one finding with its name, those that a snapshot takes back too, and that transactions
// without one have none.
func TestCheckFindsFaults(t *testing.T) {
	t.Parallel()
	names := slices.Sorted(maps.Keys(faults))
	file := recorded(t, func(w *wire) {
		honest(w)
		snapshot := regexp.MustCompile(`"result":("0x[0-9a-f]+")`).FindStringSubmatch(w.call("/", "evm_snapshot", ""))[1]
		for _, name := range names {
			faults[name](w)
		}
		w.call("/", "evm_revert", snapshot)
		honest(w)
	})
	folder := filepath.Dir(file)
	artifact := fmt.Sprintf(`{"abi":[],"bytecode":{"object":"0x00"},"deployedBytecode":{"object":"%s"}}`,
		hexutil.Encode(program.New().Push(1).Op(vm.NUMBER, vm.SSTORE).Op(vm.STOP).Bytes()))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "Hook.json"), []byte(artifact), 0o600))

	code, report, stderr := runFor(t, "forkcheck", file, "--level", "warning", "--report-json", "--artifacts", folder)
	require.Equal(t, exitError, code)
	require.Equal(t, "fakenode: forkcheck: 7 findings\n", stderr)
	var found forkReport
	require.NoError(t, json.Unmarshal([]byte(report), &found))
	require.Equal(t, 14+len(faults), found.Transactions)
	var have []string
	for _, f := range found.Findings {
		have = append(have, f.Name)
		require.Equal(t, 1, f.Times, f.Name)
		require.NotEmpty(t, f.Do)
		if f.Name == "fixed-gas-in-code" {
			require.Equal(t, "0x00000000000000000000000000000000000000A2.receive > Hook.receive", strings.Join(f.Calls, " > "))
			require.Equal(t, "out of gas", f.Reason)
			require.Equal(t, []uint64{50_000, 50_000}, []uint64{f.Gas[0].Limit, f.Gas[1].Limit})
			require.Less(t, f.Gas[0].Used, f.Gas[1].Used)
		}
	}
	slices.Sort(have)
	require.Equal(t, names, have)

	baseline := filepath.Join(folder, "known.json")
	require.NoError(t, os.WriteFile(baseline, []byte(report), 0o600))
	code, table, stderr := runFor(t, "forkcheck", file, "--level", "warning", "--baseline", baseline, "--artifacts", folder)
	require.Equal(t, exitOK, code, stderr)
	require.Equal(t, "osaka to amsterdam: 21 transactions, 0 findings of level warning and above, 7 more are known\n", table)
	code, table, _ = runFor(t, "forkcheck", file, "--level", "info")
	require.Equal(t, exitError, code)
	require.Contains(t, table, "\nnew-state: budget for it")
	code, table, _ = runFor(t, "forkcheck", file, "--level", "warning", "--state-byte-gas", "1", "--compare-forks", "bpo2,amsterdam")
	require.Equal(t, exitError, code)
	require.Contains(t, table, "stipend-2300")
	require.NotContains(t, table, "fixed-gas", "a new slot costs 64 gas and 12,100")
}

// Ensure calls and filters of clients are findings if their answers change, one for each that differs.
func TestCheckFindsWhatClientsAsk(t *testing.T) {
	t.Parallel()
	gauge := "0x00000000000000000000000000000000000000a7" // returns the gas left
	other, transfer := `"`+common.MaxHash.Hex()+`"`, crypto.Keccak256Hash([]byte("Transfer(address,address,uint256)")).Hex()
	file := recorded(t, func(w *wire) {
		w.call("/", "anvil_setCode", fmt.Sprintf(`"%s","%s"`, gauge, hexutil.Encode(program.New().Op(vm.GAS).Push0().Op(vm.MSTORE).Return(0, 32).Bytes())))
		w.call("/", "eth_newFilter", `{"address":"`+till+`"}`)
		w.call("/", "eth_newFilter", `{"topics":[`+other+`]}`)
		w.call("/", "eth_newFilter", `{"topics":[["`+transfer+`"],null]}`)
		send(w, receiver, 7, 21_000, "")
		w.call("/", "eth_newFilter", `{}`)
		for _, filter := range []string{`{}`, `{"address":"` + till + `"}`, `{"toBlock":"0x0","fromBlock":"earliest"}`, `{"topics":[` + other + `]}`} {
			w.call("/", "eth_getLogs", filter)
		}
		for _, object := range []string{`{"to":"` + till + `"}`, `{"to":"` + gauge + `"}`, `{"to":"` + hook + `","gas":"0xea60"}`, `{"to":"` + payer + `"}`} {
			w.call("/", "eth_call", object+`,"latest",{"`+payer+`":{"balance":"0x9"}}`)
		}
	})
	code, report, _ := runFor(t, "forkcheck", file, "--level", "warning", "--report-json")
	require.Equal(t, exitError, code)
	var found forkReport
	require.NoError(t, json.Unmarshal([]byte(report), &found))
	require.Equal(t, 1, found.Transactions)
	have := map[string]string{}
	for _, f := range found.Findings {
		have[f.Name+" "+f.Calls[len(f.Calls)-1]] = f.Reason
	}
	require.Equal(t, map[string]string{
		`ether-filter eth_getLogs topics null`: "", `ether-filter eth_newFilter topics [["` + transfer + `"],null]`: "",
		"call-result " + common.HexToAddress(gauge).Hex() + ".receive":        "",
		"fixed-gas-in-client " + common.HexToAddress(hook).Hex() + ".receive": "out of gas",
		"stipend-2300 " + common.HexToAddress(wallet).Hex() + ".receive":      "out of gas",
	}, have)
	_, table, _ := runFor(t, "forkcheck", file, "--level", "warning")
	require.Regexp(t, `ether-filter +1 +- +- +eth_getLogs topics null +/ 0x`, table)
	require.Regexp(t, `call-result +1 .*receive +/ eth_call`, table)
}

// Ensure a suite without a fault has no finding.
func TestCheckFindsNothing(t *testing.T) {
	t.Parallel()
	code, table, stderr := runFor(t, "forkcheck", recorded(t, honest), "--level", "warning")
	require.Equal(t, exitOK, code, table)
	require.Empty(t, stderr)
	require.Equal(t, "osaka to amsterdam: 7 transactions, 0 findings of level warning and above, 0 more are known\n", table)
}

// Ensure the last blocks of a chain are checked without a recording.
func TestCheckOfAChain(t *testing.T) {
	t.Parallel()
	p := start(t, "--seal", "instant", "--quiet")
	w := &wire{t: t, url: p.url}
	suite(w)
	faults["fixed-gas-in-client"](w)
	faults["stipend-2300"](w)
	honest(w)
	check := func(args ...string) (code int, stdout, stderr string) {
		return runFor(t, append([]string{"forkcheck", "--rpc-url", p.url}, args...)...)
	}
	code, table, stderr := check("--blocks", "8")
	require.Equal(t, exitError, code, stderr)
	require.Contains(t, table, "osaka to amsterdam: 8 transactions, 1 findings")
	require.Contains(t, table, "stipend-2300")
	code, table, _ = check()
	require.Equal(t, exitOK, code)
	require.Contains(t, table, ": 1 transactions, 0 findings")
	code, _, stderr = check("--blocks", "90")
	require.Equal(t, exitUsage, code)
	require.Equal(t, "fakenode: --blocks 90: the chain has 9 up to the fork block\n", stderr)
}

// Ensure what forkcheck cannot do has one line.
func TestCheckRefusals(t *testing.T) {
	t.Parallel()
	text := filepath.Join(t.TempDir(), "baseline")
	require.NoError(t, os.WriteFile(text, []byte("{}"), 0o600))
	for want, args := range map[string][]string{
		"--compare-forks: want frontier or ":             {"forkcheck", "x.rec", "--compare-forks", "osaka,later"},
		"--compare-forks: want two hard forks":           {"forkcheck", "x.rec", "--compare-forks", "osaka"},
		"baseline is no report of fakenode forkcheck":    {"forkcheck", "x.rec", "--baseline", text},
		"--baseline: open none":                          {"forkcheck", "x.rec", "--baseline", "none"},
		"fakenode: open x.rec":                           {"forkcheck", "x.rec"},
		"--blocks: want a whole number above 0":          {"forkcheck", "--blocks", "0"},
		"give a recording (fakenode forkcheck FILE), or": {"forkcheck"},
		"unknown flag --blocks":                          {"--blocks", "3"},
		"want info or warning or error":                  {"forkcheck", "--level", "all"},
	} {
		code, stdout, stderr := runFor(t, args...)
		require.Equal(t, exitUsage, code, args)
		require.Empty(t, stdout)
		require.Regexp(t, `^fakenode: [^\n]+\n$`, stderr)
		require.Contains(t, stderr, want)
	}
}
