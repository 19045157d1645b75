package probe_test

import (
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/gorilla/websocket"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/tokencontract"
)

// start is the time of each genesis block.
var start = time.Unix(1_800_000_000, 0)

// Contracts that questions are about.
var (
	baseFee  = common.HexToAddress("0xc0de01") // returns the base fee
	gasLeft  = common.HexToAddress("0xc0de02") // returns the gas that it has
	reverter = common.HexToAddress("0xc0de03") // reverts with its call data
	logger   = common.HexToAddress("0xc0de04") // emits a log, and returns what slot 0 has
	invalid  = common.HexToAddress("0xc0de05") // an opcode that does not exist
	looping  = common.HexToAddress("0xc0de06") // never ends
	clock    = common.HexToAddress("0xc0de07") // returns the time of the block
)

var codes = map[common.Address]string{
	baseFee: "0x485f5260205ff3", gasLeft: "0x5a5f5260205ff3", reverter: "0x365f5f37365ffd", logger: "0x60aa60205fa15f545f5260205ff3",
	invalid: "0xfe", looping: "0x5b5f56", clock: "0x425f5260205ff3",
}

// Data with which a contract reverts.
const (
	reasonNo = "0x08c379a0" + "0000000000000000000000000000000000000000000000000000000000000020" +
		"0000000000000000000000000000000000000000000000000000000000000002" + "6e6f000000000000000000000000000000000000000000000000000000000000"
	panicked = "0x4e487b710000000000000000000000000000000000000000000000000000000000000011"
)

// declared is the data of an error that an artifact declares.
var declared = hexutil.Encode(append(crypto.Keccak256([]byte("Short(uint256)"))[:4], common.Hash{31: 7}.Bytes()...))

type object = map[string]any

// play writes the answers of a node.
func play(t *testing.T, out io.Writer, c fakenode.Config) {
	if p := newPlayer(t, out, "a node", c); p != nil {
		p.askNode()
		p.askSubscriptions()
		p.askFirstTransactions()
		p.askPool()
		p.askInstant()
		p.askCalls()
		p.askOverrides()
		p.askLogs()
		p.askSending()
		p.askPast()
		if p.node.Moment().Chain().NativeToken != (common.Address{}) {
			p.askNative()
		}
		p.askRest()
	}
}

// playRow writes the answers of several nodes of a row. below is the URL of the chain under a fork.
func playRow(t *testing.T, out io.Writer, c fakenode.Config, below string) {
	play(t, out, c)
	playHurried(t, out, c)
	playReal(t, out, c)
	playFork(t, out, c, below)
	playBridge(t, out, c)
}

// playSending writes the answers of a node about transactions to send alone.
func playSending(t *testing.T, out io.Writer, c fakenode.Config) {
	p := newPlayer(t, out, "a node", c)
	p.send(0, p.paying(0, 1e9, 5e9))
	p.ask("fakenode_seal", 1)
	p.askSending()
}

// artifact returns a folder with the artifact of a contract that declares an error.
func artifact(t *testing.T) string {
	folder := filepath.Join(t.TempDir(), "out", "Till.sol")
	require.NoError(t, os.MkdirAll(folder, 0o755))
	text := `{"abi":[{"type":"error","name":"Short","inputs":[{"name":"missing","type":"uint256"}]}],"bytecode":{"object":"0x00"},"deployedBytecode":{"object":"0xfefe"}}`
	require.NoError(t, os.WriteFile(filepath.Join(folder, "Till.json"), []byte(text), 0o600))
	return filepath.Dir(folder)
}

func (p *player) askNode() {
	p.section("what the node is")
	p.ask("eth_chainId")
	p.askAt("/testnet", "eth_chainId")
	p.ask("web3_clientVersion")
	p.ask("fakenode_info")
	p.ask("eth_getBlockByNumber", "latest", false)
	p.ask("eth_getBlockByNumber", "pending", false)
	p.ask("eth_gasPrice")
	p.ask("eth_maxPriorityFeePerGas")
	p.ask("eth_feeHistory", "0x0", "latest", []int{50})
	p.ask("eth_config")
	p.ask("eth_coinbase")
	p.ask("eth_mining")
	p.ask("hardhat_metadata")
	p.ask("eth_nope")
	p.askAt("", "eth_nope")
	p.ask("eth_getCode", p.node.Token().Address(), "latest")
	for _, at := range []common.Address{baseFee, gasLeft, reverter, logger, invalid, looping, clock} {
		p.ask("anvil_setCode", at, codes[at])
	}
}

func (p *player) askSubscriptions() {
	p.section("subscriptions")
	for _, kind := range []string{"newHeads", "logs", "pendingLogs", "newPendingTransactions", "newFlashblocks", "newFlashblockTransactions", "transactionReceipts", "miniBlocks", "stateChanges", "shreds", "monadNewHeads", "monadLogs", "nope"} {
		p.ask("eth_subscribe", kind)
	}
	p.ask("eth_subscribe", "newPendingTransactions", true)
	p.ask("eth_subscribe", "logs", object{"fromBlock": "pending", "toBlock": "pending"})
	p.ask("eth_subscribe", "pendingLogs", object{"nope": 1})
	p.ask("eth_newPendingTransactionFilter")
}

// askFirstTransactions sends two transactions as the node makes blocks by itself, and then by hand.
func (p *player) askFirstTransactions() {
	p.section("the first transactions")
	hash := p.send(0, p.paying(0, 1e9, 5e9))
	logs := p.send(0, p.calling(1, logger, "0x"))
	p.ask("txpool_content")
	p.ask("txpool_inspect")
	p.askState(hash, logs)
	p.section("pre-confirmed")
	var feed *websocket.Conn
	if p.node.Moment().NoFlashblocks() == nil {
		feed = p.dial("/flashblocks")
	}
	p.ask("fakenode_preconfirm")
	p.askState(hash, logs)
	p.ask("base_transactionStatus", hash)
	p.ask("eth_call", object{"to": clock}, "pending")
	if feed != nil {
		_, frame, err := feed.ReadMessage()
		require.NoError(p.t, err)
		fmt.Fprintf(p.out, "flashblock %s\n", p.shown(frame))
	}
	p.section("sealed")
	p.ask("fakenode_seal", 1)
	p.askState(hash, logs)
	p.ask("eth_getBlockByNumber", "0x1", true)
	p.ask("eth_getBlockReceipts", "latest")
	p.ask("eth_getFilterChanges", "0x1")
	p.ask("ots_getBlockTransactions", 1, 0, 10)
	p.ask("eth_call", object{"to": clock}, "latest")
}

// askState asks what a client sees of two transactions.
func (p *player) askState(hash, logs any) {
	p.ask("eth_blockNumber")
	p.ask("eth_getBlockByNumber", "pending", false)
	p.ask("eth_getTransactionByHash", hash)
	p.ask("eth_getTransactionReceipt", logs)
	p.ask("eth_getBalance", common.Address{0x77}, "latest")
	p.ask("eth_getBalance", common.Address{0x77}, "pending")
	p.ask("eth_getTransactionCount", p.node.Account(0).Address, "latest")
	p.ask("eth_getTransactionCount", p.node.Account(0).Address, "pending")
	p.ask("eth_getLogs", object{"fromBlock": "latest", "toBlock": "pending"})
}

// askPool asks which transactions the pool takes, and how a block is filled.
func (p *player) askPool() {
	p.section("the pool")
	p.ask("evm_setAutomine", false)
	p.send(1, p.paying(0, 1, 1)) // below any base fee
	p.ask("anvil_dropAllTransactions")
	p.send(1, p.paying(0, 0, 5e9)) // no tip
	p.ask("anvil_dropAllTransactions")
	p.send(1, p.paying(0, 1e9, 5e9))
	p.send(1, p.paying(0, 1e9, 5e9+1)) // a replacement of a higher fee cap alone
	p.send(1, p.paying(2, 1e9, 5e9))   // nonce 1 is missing
	p.ask("txpool_status")
	large := p.paying(1, 1e9, 5e9)
	large.Gas = 1<<24 + 1
	p.send(1, large)
	p.send(2, &types.LegacyTx{Gas: 21_000, GasPrice: large.GasFeeCap, To: &common.Address{1}})
	long := p.paying(0, 1e9, 5e9)
	long.Gas, long.Data = 1<<21, make([]byte, 140_000)
	p.send(6, long)
	p.section("an order of execution")
	p.ask("anvil_dropAllTransactions")
	p.send(3, p.paying(0, 1, 9e9))
	p.send(4, p.paying(0, 2e9, 5e9))
	p.send(5, p.paying(0, 3e9, 4e9))
	p.ask("eth_getBlockByNumber", "pending", true)
	p.ask("fakenode_seal", 1)
	p.ask("eth_getBlockByNumber", "latest", false)
	p.unprotected()
	p.tooDear(1e14)
	p.send(7, &types.BlobTx{Gas: 21_000, GasFeeCap: uint256.MustFromBig(large.GasFeeCap), BlobFeeCap: uint256.NewInt(1), BlobHashes: []common.Hash{{1}}})
}

// unprotected sends a transaction that is bound to no chain.
func (p *player) unprotected() {
	tx, err := types.SignNewTx(p.node.Account(2).Key, types.HomesteadSigner{}, &types.LegacyTx{Gas: 21_000, GasPrice: p.paying(0, 0, 5e9).GasFeeCap, To: &common.Address{1}})
	require.NoError(p.t, err)
	raw, err := tx.MarshalBinary()
	require.NoError(p.t, err)
	p.ask("eth_sendRawTransaction", hexutil.Bytes(raw))
}

// tooDear sends a transaction of 30,000 gas of an account that has nothing.
func (p *player) tooDear(price int64) {
	key, err := crypto.ToECDSA(common.Hash{31: 9}.Bytes())
	require.NoError(p.t, err)
	data := p.paying(0, 1e9, price)
	tx, err := types.SignNewTx(key, types.LatestSignerForChainID(data.ChainID), data)
	require.NoError(p.t, err)
	raw, err := tx.MarshalBinary()
	require.NoError(p.t, err)
	p.ask("eth_sendRawTransaction", hexutil.Bytes(raw))
}

// askInstant asks what becomes of transactions that wait when blocks are made at once.
func (p *player) askInstant() {
	p.section("blocks at once")
	p.ask("anvil_dropAllTransactions")
	p.send(6, p.paying(0, 1e9, 5e9))
	p.ask("evm_setAutomine", true)
	p.ask("eth_blockNumber")
	p.ask("eth_mining")
	p.send(7, p.paying(1, 1e9, 5e9))
	p.send(7, p.paying(0, 1e9, 5e9))
	p.ask("eth_blockNumber")
	p.ask("eth_getBlockByNumber", "latest", false)
	p.ask("evm_setAutomine", false)
	p.ask("fakenode_seal", 1)
}

// askCalls asks for calls that fail, and for what calls see.
func (p *player) askCalls() {
	p.section("calls")
	for _, data := range []string{"0x", reasonNo, panicked, declared, "0x01020304"} {
		p.ask("eth_call", object{"to": reverter, "data": data}, "latest")
	}
	p.ask("eth_estimateGas", object{"to": reverter, "data": reasonNo})
	p.ask("eth_call", object{"to": invalid}, "latest")
	p.ask("eth_call", object{"to": baseFee}, "latest")
	p.ask("eth_call", object{"to": gasLeft}, "latest")
	p.ask("eth_call", object{"data": "0x6175305ff3"}, "latest") // code of 30,000 bytes
	p.ask("eth_call", object{"to": logger, "maxFeePerGas": "0x1"}, "latest")
	p.ask("eth_call", object{"to": logger}, "0x98967f")
	p.ask("eth_getBalance", logger, "0x98967f")
	p.ask("eth_getBalance", logger, object{"blockHash": common.Hash{1}})
	p.ask("eth_getBlockByNumber", "0x98967f", false)
	p.ask("eth_call", object{"from": common.Address{9}, "to": logger, "value": "0x1"}, "latest")
	p.ask("eth_createAccessList", object{"to": logger}, "latest")
	p.ask("eth_callAfter", object{"to": logger}, object{"timeout": "0x1"})
	p.ask("debug_traceCall", object{"to": reverter, "data": declared}, "latest", object{"tracer": "callTracer"})
	p.ask("debug_traceCall", object{"to": clock}, "latest", object{"tracer": "callTracer", "stateOverrides": object{clock.Hex(): object{"nope": "0x1"}}})
	p.ask("debug_traceCall", object{"to": clock}, "latest", object{"tracer": "callTracer", "blockOverrides": object{"timestamp": "0x7"}})
}

// askOverrides asks for calls and simulations with overrides.
func (p *player) askOverrides() {
	p.section("overrides and simulations")
	slot := object{common.Hash{}.Hex(): common.Hash{31: 5}}
	stored := object{logger.Hex(): object{"storage": slot}}
	p.ask("eth_call", object{"to": logger}, "latest", stored)
	p.ask("eth_call", object{"to": logger}, "latest", object{logger.Hex(): object{"nope": "0x1"}})
	p.ask("eth_call", object{"to": clock}, "latest", object{}, object{"timestamp": "0x7"})
	p.ask("eth_call", object{"to": common.Address{19: 2}}, "latest", object{common.Address{19: 2}.Hex(): object{"code": codes[clock]}})
	poor := object{"from": common.Address{9}, "to": clock, "value": "0x1"}
	calls := []any{
		object{"to": logger}, object{"to": reverter, "data": reasonNo}, object{"to": invalid, "gas": "0xffff"},
		object{"to": clock, "gasPrice": "0x0", "accessList": []any{}},
	}
	p.ask("eth_simulateV1", object{"blockStateCalls": []any{object{"calls": calls}}})
	for _, payload := range []object{
		{"blockStateCalls": []any{object{"calls": calls}}, "returnFullTransactions": true},
		{"blockStateCalls": []any{object{"calls": []any{poor}}}},
		{"blockStateCalls": []any{object{"calls": []any{object{"to": clock}}}}, "validation": true},
		{"blockStateCalls": []any{object{"blockOverrides": object{"difficulty": "0x1"}}}},
		{"blockStateCalls": []any{object{"blockOverrides": object{"timestamp": "0x98967f98"}}}},
		{"blockStateCalls": []any{object{"stateOverrides": stored, "calls": calls[:1]}}},
		{"blockStateCalls": []any{object{"stateOverrides": object{common.Address{19: 2}.Hex(): object{"movePrecompileToAddress": common.Address{19: 2}}}}}},
		{"blockStateCalls": []any{object{"stateOverrides": object{logger.Hex(): object{"state": slot, "stateDiff": slot}}}}},
	} {
		p.ask("eth_simulateV1", payload, "latest")
	}
	blobs := object{"to": clock, "gasPrice": "0x0", "blobVersionedHashes": []any{common.Hash{0: 1}}}
	p.ask("eth_simulateV1", object{"blockStateCalls": []any{object{"calls": []any{blobs}}}, "returnFullTransactions": true}, "latest")
	head := p.node.Moment().Latest().Number()
	p.ask("eth_simulateV1", object{"blockStateCalls": []any{object{"blockOverrides": object{"number": hexutil.Uint64(head + 3)}}}}, "latest")
}

func (p *player) askLogs() {
	p.section("logs")
	p.ask("eth_getLogs", object{"fromBlock": "0x1", "toBlock": "0x1"})
	p.ask("eth_getLogs", object{"fromBlock": "0x2", "toBlock": "0x1"})
	p.ask("eth_getLogs", object{"fromBlock": "0x0", "toBlock": "0x98967f"})
	p.ask("eth_getLogs", object{"fromBlock": "0x98967e", "toBlock": "0x98967f"})
	p.ask("eth_getLogs", object{"fromBlock": hexutil.Uint64(p.node.Moment().Latest().Number() + 1), "toBlock": "latest"})
	p.ask("eth_getLogs", object{"fromBlock": "0x1", "toBlock": "0x1", "nope": 1})
	p.ask("eth_getLogs", object{"blockHash": p.node.Moment().Latest().Hash(), "fromBlock": "0x1"})
	p.ask("eth_getLogsWithCursor", object{"fromBlock": "0x0", "toBlock": "0x1"})
	p.ask("eth_getFilterChanges", "0x98967f")
}

// askSending asks for transactions that the node completes or refuses.
func (p *player) askSending() {
	p.section("sending")
	p.ask("eth_sendRawTransaction", "0x01")
	p.ask("eth_sendTransaction", object{"to": common.Address{0x77}, "value": "0x1"})
	p.ask("eth_sendTransaction", object{"from": common.Address{9}, "to": common.Address{0x77}})
	account := p.node.Account(8).Address
	p.ask("eth_fillTransaction", object{"from": account, "to": account, "gas": "0x5208", "nonce": "0x0", "type": "0x9"})
	p.ask("eth_fillTransaction", object{"from": account, "to": account, "gas": "0x5208", "nonce": "0x0", "gasPrice": "0xffffffff", "blobVersionedHashes": []any{common.Hash{0: 1}}})
	p.ask("eth_sendTransaction", object{"from": account, "to": reverter, "data": reasonNo})
	spent := p.signed(0, p.paying(0, 1e9, 5e9)) // is in a block already
	p.ask("eth_sendRawTransactionSync", spent)
	for _, timeout := range []any{"0x", 5, "0x98967f", "0x5"} {
		p.ask("eth_sendRawTransactionSync", spent, timeout)
	}
	p.ask("eth_sendRawTransactionSync", p.signed(8, p.paying(9, 1e9, 5e9)), "0x1") // nonces are missing
	p.ask("eth_sendRawTransactionSync", p.signed(9, p.paying(0, 1e9, 5e9)), "0x1")
	p.ask("realtime_sendRawTransaction", spent, "0x1")
	p.ask("eth_sendTransactionSync", object{"from": account, "to": account}, "0x1")
	p.ask("eth_supportedEntryPoints")
}

// askPast asks for blocks far behind the head.
func (p *player) askPast() {
	p.section("the past")
	for _, tag := range []string{"safe", "finalized"} {
		p.ask("eth_getBlockByNumber", tag, false)
	}
	require.NoError(p.t, p.ws.Close()) // so that nobody is told of what follows
	p.ws = p.dial("")
	p.ask("anvil_mine", "0xfa1")
	for _, tag := range []string{"safe", "finalized"} {
		p.ask("eth_getBlockTransactionCountByNumber", tag)
	}
	p.ask("eth_getBlockByNumber", "latest", false)
	p.ask("eth_getBalance", logger, "0x1")
	p.ask("eth_getBalance", logger, "0x10")
	p.ask("eth_getLogs", object{"fromBlock": "0x1"})
}

// askNative asks a node whose native coin is a token, and whose blocks are final at once.
func (p *player) askNative() {
	p.section("a native token")
	p.tooDear(5e16)
	p.send(7, &types.BlobTx{Gas: 21_000, GasFeeCap: uint256.NewInt(5e10), BlobFeeCap: uint256.NewInt(1), BlobHashes: []common.Hash{{1}}})
	p.ask("fakenode_reorg", object{"depth": 1})
	p.ask("anvil_rollback", 1)
	call := `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`
	p.post("", "a batch", []byte("["+strings.Repeat(call+",", 100)+call+"]"))
	p.ask("eth_call", object{"from": p.node.Account(0).Address, "to": tokencontract.NativeAddress, "value": "0x1"}, "latest")
	p.ask("eth_call", object{"from": p.node.Account(0).Address, "to": common.Address{}, "value": "0x1"}, "latest")
	p.ask("eth_getBlockReceipts", object{"blockNumber": "Pending"})
	p.ask("arc_getVersion")
}

// askRest asks what one node alone answers otherwise.
func (p *player) askRest() {
	p.section("the rest")
	p.askAt("/testnet", "eth_getCode", common.HexToAddress("0xeED520980fC7C7B4eB379B96d61CEdea2423005a"), "latest")
	p.ask("ots_searchTransactionsBefore", logger, 0, 1)
	p.ask("debug_traceCall", object{"to": clock}, "latest", object{"enableMemory": true, "enableReturnData": true})
	account := p.node.Account(8).Address
	p.ask("eth_fillTransaction", object{"from": account, "to": account, "gas": "0x5208", "nonce": "0x0", "gasPrice": "0xffffffff", "maxFeePerGas": "0xffffffff"})
	used := p.paying(0, 1e9, 5e9)
	used.GasTipCap = new(big.Int).Add(used.GasFeeCap, big.NewInt(1))
	p.send(0, used)
	delegations := &types.SetCodeTx{
		ChainID: uint256.NewInt(p.node.ChainID()), Nonce: 3, Gas: 300_000, GasFeeCap: uint256.MustFromBig(p.paying(0, 1e9, 5e9).GasFeeCap),
		AuthList: make([]types.SetCodeAuthorization, 5),
	}
	p.send(4, delegations)
	p.ask("hardhat_setCoinbase", common.Address{19: 0xcb})
	p.ask("eth_call", object{"data": "0x415f5260205ff3"}, "latest") // who gets the tips
}

// playHurried asks a node with no time for calls.
func playHurried(t *testing.T, out io.Writer, c fakenode.Config) {
	c.Limits.CallTimeout = 1
	if p := newPlayer(t, out, "no time for calls", c); p != nil {
		p.ask("eth_call", object{"to": looping}, "latest", object{looping.Hex(): object{"code": codes[looping]}})
		p.ask("eth_simulateV1", object{"blockStateCalls": []any{object{
			"stateOverrides": object{looping.Hex(): object{"code": codes[looping]}}, "calls": []any{object{"to": looping}},
		}}}, "latest")
	}
}

// playReal asks a node on a real clock, which nothing runs, whose blocks have the newest rules.
func playReal(t *testing.T, out io.Writer, c fakenode.Config) {
	c.RealClock, c.Hardfork = true, "amsterdam"
	p := newPlayer(t, out, "a real clock, and amsterdam", c)
	if p == nil {
		c.Hardfork = ""
		p = newPlayer(t, out, "a real clock", c)
	}
	if p == nil {
		return
	}
	p.ask("evm_setAutomine", false)
	hash := p.send(0, p.paying(0, 1e9, 5e9))
	for range 3 {
		p.ask("fakenode_seal", 1)
	}
	p.ask("eth_getTransactionReceipt", hash)
	p.ask("eth_getBlockByNumber", "latest", false)
	p.ask("eth_getBlockByNumber", "pending", false)
}

// playFork asks a fork of another chain.
func playFork(t *testing.T, out io.Writer, c fakenode.Config, below string) {
	c.StartTime, c.Fork = time.Time{}, &fakenode.Fork{URL: below, Retries: -1}
	if p := newPlayer(t, out, "a fork", c); p != nil {
		p.ask("eth_chainId")
		p.askAt("/testnet", "eth_chainId")
		p.ask("fakenode_seal", 1)
		p.ask("eth_getBlockByNumber", "latest", false)
		p.ask("eth_getBlockByNumber", "pending", false)
	}
}

// playBridge asks a node with an L1.
func playBridge(t *testing.T, out io.Writer, c fakenode.Config) {
	c.L1 = new(fakenode.L1Config)
	p := newPlayer(t, out, "an L1", c)
	if p == nil {
		return
	}
	p.askAt("/l1", "eth_chainId")
	p.askAt("/l1", "eth_getBlockByNumber", "latest", false)
	p.ask("optimism_rollupConfig")
	p.ask("fakenode_bridge")
	p.ask("fakenode_advance", 3_000_000)
	p.ask("optimism_syncStatus")
	p.ask("fakenode_propose", object{})
	p.askAt("/l1", "fakenode_seal", 1)
	p.ask("fakenode_bridge")
	p.ask("fakenode_advance", 1_000_000) // the first game of a chain that has one every hour
	p.ask("fakenode_bridge")
}
