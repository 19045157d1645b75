package main

import (
	"errors"
	"flag"
	"log/slog"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// withDefaults returns the options of a program without flags that differ from the zero Config.
func withDefaults() (o options) {
	o.config.Mode, o.config.Port = fakenode.Interval, 8545
	o.config.Fork, o.config.L1 = new(fakenode.Fork), new(fakenode.L1Config) // nil again if no flag sets them
	return o
}

func (o *options) blockFlags(f *flag.FlagSet) {
	c := &o.config
	f.Var(choose(&c.Mode, fakenode.Interval, fakenode.Instant, fakenode.Manual), "seal", "what makes blocks: interval, instant or manual (default the preset's, interval with dev)")
	f.Func("block-time", "time between blocks, such as 2s or 500ms, 1ms at least; a plain number is in seconds (default the preset's, 2s with dev)", func(s string) error {
		if seconds, err := strconv.ParseFloat(s, 64); err == nil {
			s = strconv.FormatFloat(seconds, 'f', -1, 64) + "s"
		}
		return setDuration(&c.BlockTime, false)(s)
	})
	f.Func("flashblock-time", "time between flashblocks, 1ms at least, or none: on command only (default the preset's, 200ms with dev)", func(s string) error {
		if s == "none" {
			c.FlashblockTime = fakenode.NoFlashblocks
			return nil
		}
		return setDuration(&c.FlashblockTime, false)(s)
	})
	f.Func("start-time", "the clock at start, in Unix seconds or as 2006-01-02T15:04:05Z (default now)", func(s string) (err error) {
		if seconds, e := strconv.ParseInt(s, 10, 64); e == nil && seconds >= 0 {
			c.StartTime = time.Unix(seconds, 0).UTC()
			return nil
		}
		if c.StartTime, err = time.Parse(time.RFC3339, s); err != nil {
			return errors.New("want Unix seconds or a time such as 2006-01-02T15:04:05Z")
		}
		return nil
	})
	f.Var(choose(&c.Order, fakenode.FIFO, fakenode.Fees, fakenode.BySender), "order", "order of execution: fifo, fees or sender (default fifo)")
	f.BoolVar(&c.EqualTimestamps, "equal-timestamps", false, "let a block have its parent's timestamp under --seal instant and manual")
}

func (o *options) accountFlags(f *flag.FlagSet) {
	c := &o.config
	f.Func("accounts", "how many accounts to fund (default 20, 10 with anvil)", setWhole(&c.Accounts, 10, 31, -1))
	f.StringVar(&c.Mnemonic, "mnemonic", fixtures.DevMnemonic, "BIP-39 mnemonic of the accounts")
	f.Func("balance", "balance of each account, in ether (default 10000)", setParsed(&c.Balance, fixtures.ParseEther))
	variants := []string{fakenode.Strict.String(), fakenode.DocumentedFlow.String()}
	f.Var(enum{setParsed(&c.Token, tokencontract.ParseVariant), variants}, "token", "token variant: strict or documented (default the preset's, documented with dev; strict with --compat geth)")
	f.Var(choose(&c.Contracts, fakenode.NoContracts, fakenode.StandardContracts, fakenode.PaymentContracts), "contracts", "contracts in the genesis: none, standard or payments (default payments)")
	f.BoolVar(&c.X402Assets, "x402-assets", false, "put the tokens into the genesis that x402 pays with on a chain of that id (default the preset's: true with those of live chains)")
	f.StringVar(&o.predeploy, "predeploy", "", "JSON `file` of accounts for the genesis: address to code, storage, balance, nonce")
	f.StringVar(&o.loadState, "load-state", "", "`file` of accounts for the genesis of the main network, as anvil and --dump-state write it")
}

func (o *options) chainFlags(f *flag.FlagSet) {
	c := &o.config
	presets := choose(&c.Preset, fakenode.Presets()...)
	f.Var(presets, "preset", "values of flags that are not given: those of a live chain or another dev node, "+strings.Join(presets.names, ", ")+
		"; anvil and hardhat set "+typed(presetFlags(fakenode.Anvil.Chain()))+", --flashblock-time none, --fee-cap 0 and --tx-gas-limit 0 (default dev)")
	f.StringVar(&o.chain, "chain", "", "`file` of a chain of one's own in place of --preset: JSON, values by the names of flags beside \"like\", or an entry of the superchain registry")
	f.Var(choose(&c.Rules, fakenode.AllRules()...), "rules", "rules of blocks and transactions: ethereum, or those of an OP-stack chain at an upgrade: jovian, azul, karst, denim, lagoon; op is azul (default the preset's, ethereum with dev)")
	f.Func("fee-denominator", "of an OP-stack chain: a block changes the base fee by at most (elasticity - 1)/denominator; 0: the preset's, 250 with dev", setWhole(&c.Fees.Denominator, 0, 32, 0))
	f.Func("fee-elasticity", "of an OP-stack chain: gas limit of a block by its target; 0: the preset's, 6 with dev", setWhole(&c.Fees.Elasticity, 0, 32, 0))
	f.Func("min-base-fee", "of an OP-stack chain: least base fee, in wei (default the preset's, 200000 with dev)", setNumber(&c.Fees.MinBaseFee))
	f.Uint64Var(&c.ChainID, "chain-id", 0, "chain id of the main network; 0: the preset's")
	hardforks := append(fakenode.Hardforks(), "latest")
	f.Var(enum{func(s string) error {
		if c.Hardfork = strings.ToLower(s); c.Hardfork == "latest" {
			c.Hardfork = ""
		} else if c.Hardfork == "pectra" {
			c.Hardfork = "prague"
		}
		return nil
	}, hardforks}, "hardfork", "rules: "+strings.Join(hardforks, ", ")+" (default prague with --rules jovian, else osaka)")
	f.Uint64Var(&c.GenesisNumber, "genesis-number", 0, "number of the main network's first block; 0: that of --genesis, or 0")
	f.Uint64Var(&c.GasLimit, "gas-limit", 0, "gas limit of blocks; 0: the preset's, 60,000,000 with dev")
	f.Func("base-fee", "base fee of the genesis block, in wei, decimal or 0x and hex (default 1000000000)", setParsed(&c.BaseFee, parseWei))
	f.Func("code-size-limit", "most bytes of a contract's code, and half of those of a transaction's init code; 0: any (default 24576)", setWhole(&c.CodeSizeLimit, 0, 64, math.MaxUint64))
	f.Func("tx-gas-limit", "most gas that a transaction may ask for from osaka on; 0: any (default 16777216)", setWhole(&c.TxGasLimit, 0, 64, math.MaxUint64))
	f.Func("reserve-balance", "what a transaction on Monad must leave each account that can send, or what it had, in ether (default 0)", setParsed(&c.ReserveBalance, fixtures.ParseEther))
	f.Uint64Var(&c.History, "history", 0, "of how many blocks the state can be read, the head among them; 0: 10,000")
	f.StringVar(&o.genesis, "genesis", "", "genesis `file` in geth's format, for the main network")
	f.StringVar(&o.blocks, "import", "", "`file` of RLP blocks to execute before serving")
}

func (o *options) tagFlags(f *flag.FlagSet) {
	c := &o.config
	f.Func("safe-lag", "how many blocks safe is behind the head (default 32)", setNumber(&c.Lags.SafeLag))
	f.Func("finalized-lag", "how many blocks finalized is behind the head (default 64)", setNumber(&c.Lags.FinalizedLag))
	f.Uint64Var(&c.Lags.PendingLag, "pending-lag", 0, "how many blocks the block context of eth_call at pending lags")
	f.IntVar(&c.Replicas.Count, "replicas", 0, "how many replicas both networks have, at /replica/1 and so on: nodes that are behind; /replica/any is one of them for each request")
	f.Func("replica-lag", "how far behind each replica is, with commas between them: blocks or a time, jitter:N, stuck:N and orphaned:N, joined by +, as 2+jitter:1,600ms (default jitter:2+stuck:8+orphaned:2)", setParsed(&c.Replicas.Lag, parseReplicas))
	f.Uint64Var(&c.Replicas.Seed, "replica-seed", 0, "draws what replicas do, and who answers at /replica/any")
	f.BoolVar(&c.NoPreconf, "no-preconf", false, "serve without the pre-confirmation layer")
	f.Var(choose(&c.Preconf, fakenode.Preconfs()...), "preconf", "how clients see what is not in a block yet: flashblocks; pending, as OP Mainnet; realtime, at latest; or megaeth or rise, realtime with what these have; monad: proposals, and no pool (default the preset's, flashblocks with dev)")
	f.BoolVar(&o.l1, "l1", false, "put an L1 at /l1 below the main network of an OP-stack chain: deposits, withdrawals, and reorgs from below")
	f.Uint64Var(&c.L1.Distance, "l1-distance", 0, "how many blocks behind the L1's head the newest one is that the main network refers to")
	f.DurationVar(&c.L1.BlockTime, "l1-block-time", 0, "time between two blocks of the L1 (default 12s)")
	f.Func("game", "type of the L1's games with optimism and unichain: 8, about output roots, or 9, about super roots (default 9)", setWhole(&c.L1.GameType, 0, 32, 0))
	f.DurationVar(&c.L1.ProposeEvery, "propose-every", 0, "time of the main network between two games on the L1, negative for none (default the preset's, 20m with base)")
	f.DurationVar(&c.L1.WithdrawalDelay, "withdrawal-delay", 0, "how long a withdrawal waits on the L1 for its game's end (default the preset's delays, 5 days with base)")
	f.Var(choose(&c.SendSync, fakenode.SendSyncs()...), "send-sync", "whose rules eth_sendRawTransactionSync follows: spec, geth, eip7966, arbitrum, arbitrum-announced, polygon, megaeth or monad (default the preset's, else those of --compat)")
	f.BoolVar(&c.NoSendSync, "no-send-sync", false, "answer eth_sendRawTransactionSync with -32601, as some endpoints of Base")
	f.BoolVar(&c.Bundler.Off, "no-bundler", false, "answer eth_sendUserOperation and the other methods of a bundler with -32601")
	f.Var(choose(&c.Bundler.Rules, fakenode.StrictBundler, fakenode.LooseBundler), "bundler-rules", "what the validation of a user operation may do: strict, as ERC-7562 says, or loose: anything (default strict)")
	f.BoolVar(&c.Flashblocks.Brotli, "flashblocks-brotli", false, "compress the frames of /flashblocks for readers that do not ask for either")
	f.Var(choose(&c.Flashblocks.Metadata, fakenode.FlashblocksMinimal, fakenode.FlashblocksFull, fakenode.FlashblocksSubblocks), "flashblocks-metadata", "what frames of /flashblocks tell beside the block: minimal, full with receipts and balances, or subblocks: full with zero hashes and no previous flashblock (default the preset's, minimal with dev)")
}

func (o *options) keepFlags(f *flag.FlagSet) {
	c := &o.config
	f.StringVar(&c.State, "state", "", "keep both networks and all worlds in this `file`, or in a file of this directory, and go on from it")
	f.StringVar(&c.Recover, "recover", "", "damaged `file` of --state: write what is whole into the new file of --state, and go on from there")
	f.StringVar(&o.export, "export", "", "write genesis.json and chain.rlp into this `directory` at shutdown")
	f.StringVar(&o.dumpState, "dump-state", "", "write the accounts of the main network into this `file` at shutdown, in anvil's format")
	f.StringVar(&o.record, "record", "", "write every call, answer and notification to this `file`, one line an event")
	f.StringVar(&o.configOut, "config-out", "", "write URLs, accounts, keys and the token to this `file` as JSON")
	f.StringVar(&o.chainOut, "chain-out", "", "write what the node is into this `file`, for --chain")
}

func (o *options) answerFlags(f *flag.FlagSet) {
	c := &o.config
	f.Var(choose(&c.Compat, fakenode.Spec, fakenode.Geth), "compat", "whose answers where they differ: spec or geth (default the preset's, spec with dev)")
	f.Var(choose(&c.Limits.Provider, "alchemy", "infura", "quicknode", "coinbase", "base"), "provider", "imitate the limits of alchemy, infura, quicknode, coinbase, or base, for Base's own node (default nobody's)")
	f.StringVar(&c.ClientVersion, "client-version", "", "the answer of web3_clientVersion (default name, version and platform)")
	f.Func("fee-cap", "most that a transaction's fee may be, in ether; 0: any (default 1 under --compat geth, else any)", setParsed(&c.Limits.FeeCap, fixtures.ParseEther))
	f.BoolVar(&c.AllowUnprotected, "allow-unprotected-txs", false, "take transactions that are bound to no chain (before EIP-155) under --compat geth, too")
	f.Func("artifacts", "`folder` of compiled contracts, Foundry's out or Hardhat's artifacts: their errors, calls and events are shown by name; repeatable", appendTo(&c.Artifacts))
	f.BoolVar(&o.autoImpersonate, "auto-impersonate", false, "let eth_sendTransaction send from any account")
	f.BoolVar(&c.NoControl, "no-control", false, "switch off worlds, fakenode_*, evm_*, anvil_*, hardhat_*, miner_*, testing_*, debug_setHead and eth_sendUnsignedTransaction")
}

func (o *options) limitFlags(f *flag.FlagSet) {
	c, l := &o.config, &o.config.Limits
	f.Uint64Var(&l.LogsMaxRange, "logs-max-range", 0, "most blocks of one eth_getLogs; 0: any")
	f.Uint64Var(&l.LogsMaxResults, "logs-max-results", 0, "most logs of one eth_getLogs; 0: any")
	f.Func("logs-timeout", "longest time of one eth_getLogs; 0: 10s", setDuration(&l.LogsTimeout, true))
	f.Uint64Var(&l.GasCap, "gas-cap", 0, "gas of a call or simulation; 0: 50,000,000")
	f.Uint64Var(&l.EstimateMargin, "estimate-margin", 0, "by how many per cent gas estimates exceed what is just enough, 1000 at most")
	f.Func("call-timeout", "longest time of a call or simulation; 0: 5s", setDuration(&l.CallTimeout, true))
	f.Int64Var(&l.MaxBody, "max-body", 0, "largest HTTP body, in bytes; 0: 32 MiB")
	f.Int64Var(&l.MaxMessage, "max-message", 0, "largest WebSocket message, in bytes; 0: 32 MiB")
	f.Func("socket-idle", "close a WebSocket connection whose client sends nothing for so long (default never, 30s with megaeth)", setDuration(&l.SocketIdle, true))
	f.IntVar(&l.MaxBatch, "max-batch", 0, "most calls of a batch; 0: 1,000")
	f.IntVar(&l.MaxAnswer, "max-answer", 0, "largest answer to a call or batch, in bytes; 0: 256 MiB")
	f.IntVar(&l.SubscribersMemory, "subscribers-memory", 0, "bytes that may wait for all clients together; 0: 512 MiB")
	f.IntVar(&l.SubscriberBuffer, "subscriber-buffer", 0, "bytes that may wait for a WebSocket client to read; 0: 64 MiB")
	f.IntVar(&l.JournalSize, "journal-size", 0, "calls that fakenode_calls remembers; 0: 10,000, negative: none")
	f.IntVar(&c.Filters.Count, "max-filters", 0, "most filters installed on a network; 0: 10,000")
	f.Func("filter-timeout", "how long a filter that nobody reads is kept; 0: 5m", setDuration(&c.Filters.Timeout, true))
}

// addressFlags defines the flags of every command that listens.
func (o *options) addressFlags(f *flag.FlagSet) {
	c := &o.config
	f.StringVar(&c.Host, "host", "127.0.0.1", "address to listen on")
	f.IntVar(&c.Port, "port", c.Port, "port to listen on; 0: a free one")
	f.Func("allow-host", "accept this Host header besides loopback and IP addresses; repeatable; * for any", appendTo(&c.Allow.Hosts))
	f.Func("allow-origin", "accept this browser Origin besides loopback and extensions; repeatable; * for any", appendTo(&c.Allow.Origins))
}

func (o *options) worldFlags(f *flag.FlagSet) {
	c := &o.config
	f.Func("worlds", "most worlds beside the networks at /; 0: none (default 1000)", setWhole(&c.Worlds.Count, 10, 31, -1))
	f.BoolVar(&c.Worlds.Auto, "auto-worlds", false, "let the first call to /w/NAME make the world NAME")
	f.IntVar(&c.Worlds.PerOwner, "worlds-per-owner", 0, "most worlds of one owner; 0: any")
	f.Func("world-ttl", "end a world that was idle for so long, unless its ttl says another time (default never)", setDuration(&c.Worlds.TTL, true))
}

// logFlags defines the flags of every command that runs until it is ended.
func (o *options) logFlags(f *flag.FlagSet) {
	o.level = slog.LevelError // tools take a line on stderr as the end of the node
	f.Var(enum{func(s string) error {
		if o.level.UnmarshalText([]byte(s)) != nil {
			return errors.New("want debug, info, warn or error")
		}
		return nil
	}, []string{"debug", "info", "warn", "error"}}, "log-level", "log at this level and above: debug, info, warn or error (default error)")
	f.Var(choose(&o.format, "text", "json"), "log-format", "form of the log: text or json (default text)")
	f.BoolVar(&o.quiet, "quiet", false, "print only the address, and what --console-log and --print-traces ask for")
	f.BoolVar(&o.exitWithStdin, "exit-with-stdin", false, "end when standard input ends, as a pipe does whose other end is gone")
}

func (o *options) printFlags(f *flag.FlagSet) {
	f.BoolVar(&o.consoleLog, "console-log", false, "print what contracts write by console.log on stdout (default the preset's: true with anvil and hardhat)")
	f.BoolVar(&o.print.keys, "print-keys", false, "print the keys of all accounts at start, not of the first three alone")
	f.BoolVar(&o.print.traces, "print-traces", false, "print the calls of each transaction and failed call on stdout, by name where --artifacts has them")
	f.BoolVar(&o.config.Profiling, "pprof", false, "serve Go's profiles at /debug/pprof/")
}

func (o *options) programFlags(f *flag.FlagSet) {
	f.BoolVar(&o.version, "version", false, "print the version")
}
