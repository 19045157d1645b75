package userop_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure deposits, nonces and balances equal a model's at every step of random operations of 200 accounts, through
// faults of the bundler and of flashblocks, and reorgs; and that the same steps on another node make the same bytes.
// FAKENODE_USER_OPERATIONS sets the number of operations.
func TestUserOperationModel(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	operations := laboratory.Budget(t, 40, 300)
	if wanted := os.Getenv("FAKENODE_USER_OPERATIONS"); wanted != "" {
		var err error
		operations, err = strconv.Atoi(wanted)
		require.NoError(t, err)
	}
	var trails [][]byte
	for _, name := range []string{"first", "again"} {
		t.Run(name, func(t *testing.T) {
			r := newOperationRun(t, 4337)
			for r.sent < operations {
				r.step()
			}
			r.finish()
			t.Logf("%d operations in %d steps, %d blocks: %v", r.sent, r.steps, r.BlockNumber(), r.results)
			trails = append(trails, r.trail)
		})
	}
	require.Equal(t, trails[0], trails[len(trails)-1])
}

// operationRun takes random steps on a node and in a model.
type operationRun struct {
	*fakenode.Node
	*operationModel
	t      *testing.T
	client *rpc.Client
	random *rand.Rand
	all    []common.Address
	poor   common.Address // an account without ether

	sent, steps int
	next        map[common.Address]int64          // nonces after the pre-confirmed operations
	pool        map[common.Address][]waitingNonce // the waiting operations, in their order
	accepted    map[common.Hash]bool              // until no reorg can remove them
	lost        map[common.Hash]bool              // those that may never be included
	doomed      map[common.Address]bool           // senders whose bundles may revert by a fault, so that nothing can wait behind them
	trail       []byte                            // a hash of all the node's answers
}

// waitingNonce is an operation of the pool and its nonce.
type waitingNonce struct {
	Sender                             common.Address
	Nonce                              hexutil.Big
	MaxFeePerGas, MaxPriorityFeePerGas hexutil.Uint64
}

func newOperationRun(t *testing.T, seed uint64) *operationRun {
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: time.Unix(1_700_000_000, 0)})
	r := &operationRun{
		Node: node, operationModel: newOperationModel(t, node.Token().Address()), t: t, client: node.Client().Client(), random: rand.New(rand.NewPCG(seed, 1)),
		accepted: map[common.Hash]bool{}, lost: map[common.Hash]bool{}, doomed: map[common.Address]bool{},
	}
	code := append(common.FromHex(entrypoint.SimpleAccountMetaData.Bin), simpleAccount.PackConstructor(node.Account(0).Address)...)
	for range 201 {
		account, err := node.Deploy(node.Account(0), code)
		require.NoError(t, err)
		r.all = append(r.all, account)
	}
	r.all, r.poor = r.all[:200], r.all[200]
	for _, account := range r.all {
		node.SetBalance(account, fixtures.Ether("1000"))
		node.Token().Mint(account, fixtures.USD("100"))
		r.ether[account], r.tokens[account] = fixtures.Ether("1000").ToBig(), fixtures.USD("100").ToBig()
		r.deposits[account] = new(big.Int)
	}
	r.deposits[entrypoint.PaymasterAddress] = entrypoint.PaymasterDeposit().ToBig()
	r.ether[entrypoint.V07Address] = new(big.Int).Add(entrypoint.PaymasterDeposit().ToBig(), entrypoint.PaymasterStake().ToBig())
	for range deepest + 1 { // no reorg removes the accounts' first balances
		node.Seal()
	}
	r.catchUp()
	return r
}

// step sends operations of some accounts, then changes the chain, and compares.
func (r *operationRun) step() {
	r.steps++
	if r.random.IntN(16) == 0 {
		r.arm()
	}
	for _, i := range r.random.Perm(len(r.all))[:5+r.random.IntN(20)] {
		r.send(r.all[i])
	}
	if r.random.IntN(10) == 0 {
		op := r.operation(r.poor, 0, 2, 1)
		op.PaymasterAndData = nil
		r.refused(r.submit(r.sign(op)), -32500, "AA21")
	}
	r.happen()
	r.catchUp()
}

// arm arms a fault of the bundler for some account.
func (r *operationRun) arm() {
	kinds := []fakenode.BundlerFault{
		{Kind: fakenode.IncludeNever}, {Kind: fakenode.IncludeLate, Blocks: 2}, {Kind: fakenode.RevertBundle}, {Kind: fakenode.ReplaceBundle},
		{Kind: fakenode.Forget}, {Kind: fakenode.Lie},
	}
	fault := kinds[r.random.IntN(len(kinds))]
	fault.Sender = &r.all[r.random.IntN(len(r.all))]
	require.NoError(r.t, r.BundlerFault(fault))
	if fault.Kind == fakenode.RevertBundle {
		r.doomed[*fault.Sender] = true
	}
}

// happen lets time pass, or causes a fault or a reorg.
func (r *operationRun) happen() {
	switch n := r.random.IntN(20); {
	case n < 8:
		r.Preconfirm()
	case n < 14:
		r.Seal()
	case n < 17:
		fate := []fakenode.Fate{fakenode.Requeue, fakenode.Drop, fakenode.Reverse}[r.random.IntN(3)]
		if fate == fakenode.Drop {
			r.loseAll()
		}
		_, err := r.Reorg(fakenode.ReorgOptions{Depth: 1 + r.random.IntN(deepest), Transactions: fate})
		require.NoError(r.t, err)
	case n < 18:
		gone := r.random.IntN(2) == 0
		if gone {
			r.loseAll()
		}
		r.Preconfirm()
		_, err := r.FlashblockFault(fakenode.FlashblockFault{Kind: fakenode.DropFlashblocks, Gone: gone})
		require.NoError(r.t, err)
	case n < 19:
		r.Release()
	default:
		r.Advance(2 * time.Second)
	}
}

// deepest is the most blocks that a reorg removes.
const deepest = 3

// settle forgets operations that no reorg can remove any more.
func (r *operationRun) settle() {
	for hash := range r.accepted {
		if at, ok := r.included[hash]; ok && at+deepest < len(r.blocks) {
			delete(r.accepted, hash)
			delete(r.lost, hash)
			r.results["settled"]++
		}
	}
}

// loseAll notes that any operation that is not settled may be lost.
func (r *operationRun) loseAll() {
	for hash := range r.accepted {
		r.lost[hash] = true
	}
}

// send sends an operation of an account, or one that the bundler rejects.
func (r *operationRun) send(account common.Address) {
	waiting := r.pool[account]
	next := r.next[account]
	if r.doomed[account] && len(waiting) > 0 {
		return
	}
	for _, w := range waiting {
		if w.Nonce.ToInt().Int64() != next {
			return // it waits behind a gap, and its bundle will revert
		}
		next++
	}
	r.sent++
	op := r.operation(account, next, 10_000_000_000, 1_000_000_000)
	switch n := r.random.IntN(40); {
	case n == 0:
		op.Nonce = big.NewInt(next + 1 + r.random.Int64N(3))
		r.refused(r.submit(r.sign(op)), -32500, "AA25")
	case n == 1:
		op = r.sign(op)
		op.Signature[40] ^= 1
		err := r.submit(op)
		require.Error(r.t, err)
		require.Contains(r.t, []int{-32507, -32500}, err.(rpc.Error).ErrorCode(), err)
		r.results["refused signature"]++
	case n < 5 && len(waiting) > 0:
		old := waiting[r.random.IntN(len(waiting))]
		maxFee, tip := uint64(old.MaxFeePerGas), uint64(old.MaxPriorityFeePerGas)
		if n == 2 {
			r.refused(r.submit(r.sign(r.operation(account, old.Nonce.ToInt().Int64(), maxFee+maxFee/20, tip*2))), -32602, "user operation ")
			return
		}
		r.loseAll()
		r.submitted(r.operation(account, old.Nonce.ToInt().Int64(), maxFee+maxFee/5, tip+tip/5))
		r.results["replacement"]++
	default:
		r.submitted(op)
	}
}

// submitted sends an operation that the bundler must accept.
func (r *operationRun) submitted(op entrypoint.PackedUserOperation) {
	op = r.sign(op)
	require.NoError(r.t, r.submit(op))
	r.accepted[op.Hash(r.ChainID())] = true
}

func (r *operationRun) refused(err error, code int, text string) {
	r.t.Helper()
	require.ErrorContains(r.t, err, text)
	require.True(r.t, strings.HasPrefix(err.Error(), text), err)
	require.Equal(r.t, code, err.(rpc.Error).ErrorCode())
	r.results["refused "+text]++
}

// operation returns a random operation, without a signature; one in four is sponsored.
func (r *operationRun) operation(account common.Address, nonce int64, maxFee, tip uint64) entrypoint.PackedUserOperation {
	op := entrypoint.PackedUserOperation{
		Sender: account, Nonce: big.NewInt(nonce), AccountGasLimits: entrypoint.PackUint128s(100_000, 150_000),
		PreVerificationGas: big.NewInt(60_000 + r.random.Int64N(10_000)), GasFees: entrypoint.PackUint128s(tip, maxFee),
	}
	switch r.random.IntN(6) {
	case 0:
		op.CallData = deposit(account, big.NewInt(1+r.random.Int64N(1e15)))
	case 1:
		op.CallData = withdrawal(account, big.NewInt(1+r.random.Int64N(1e15)))
	default:
		to := r.all[r.random.IntN(len(r.all))]
		op.CallData = tokenPayment(r.token, to, big.NewInt(r.random.Int64N(60_000_000)))
	}
	if r.random.IntN(4) == 0 {
		limits := entrypoint.PackUint128s(80_000, 1)
		op.PaymasterAndData = append(entrypoint.PaymasterAddress.Bytes(), limits[:]...)
	}
	return op
}

func (r *operationRun) sign(op entrypoint.PackedUserOperation) entrypoint.PackedUserOperation {
	if len(op.PaymasterAndData) > 0 {
		data, err := op.Sponsor(r.ChainID(), entrypoint.V07Address, entrypoint.Sponsorship{}, entrypoint.PaymasterKey())
		require.NoError(r.t, err)
		op.PaymasterAndData = append(op.PaymasterAndData, data...)
	}
	op.Signature = r.Account(0).SignDigest(common.Hash(accounts.TextHash(op.Hash(r.ChainID()).Bytes()))).Bytes()
	return op
}

// submit sends an operation to the bundler.
func (r *operationRun) submit(op entrypoint.PackedUserOperation) error {
	quantity := func(word []byte) *hexutil.Big { return (*hexutil.Big)(half(word)) }
	o := map[string]any{
		"sender": op.Sender, "nonce": (*hexutil.Big)(op.Nonce), "callData": hexutil.Bytes(op.CallData), "signature": hexutil.Bytes(op.Signature),
		"verificationGasLimit": quantity(op.AccountGasLimits[:16]), "callGasLimit": quantity(op.AccountGasLimits[16:]),
		"preVerificationGas": (*hexutil.Big)(op.PreVerificationGas), "maxPriorityFeePerGas": quantity(op.GasFees[:16]), "maxFeePerGas": quantity(op.GasFees[16:]),
	}
	if data := op.PaymasterAndData; len(data) > 0 {
		o["paymaster"], o["paymasterData"] = entrypoint.PaymasterAddress, hexutil.Bytes(data[52:])
		o["paymasterVerificationGasLimit"], o["paymasterPostOpGasLimit"] = quantity(data[20:36]), quantity(data[36:52])
	}
	err := r.client.CallContext(r.t.Context(), nil, "eth_sendUserOperation", o, entrypoint.V07Address)
	r.note("%v", err)
	return err
}

// note adds to the trail.
func (r *operationRun) note(format string, args ...any) {
	sum := sha256.Sum256(fmt.Appendf(r.trail, format, args...))
	r.trail = sum[:]
}

// block reads a block with its receipts.
func (r *operationRun) block(tag string) (*types.Header, []*types.Transaction, []*types.Receipt) {
	var raw json.RawMessage
	require.NoError(r.t, r.client.Call(&raw, "eth_getBlockByNumber", tag, true))
	var header types.Header
	var body struct{ Transactions []*types.Transaction }
	require.NoError(r.t, json.Unmarshal(raw, &header))
	require.NoError(r.t, json.Unmarshal(raw, &body))
	var receipts []*types.Receipt
	require.NoError(r.t, r.client.Call(&receipts, "eth_getBlockReceipts", tag))
	require.Len(r.t, receipts, len(body.Transactions))
	r.note("%s", raw)
	return &header, body.Transactions, receipts
}

// catchUp brings the model to the head of the chain, compares it at latest and at pending, and reads the pool.
func (r *operationRun) catchUp() {
	moment := r.Moment()
	view := func(n int) common.Hash { return moment.Chain().BlockByNumber(uint64(n)).Hash() }
	for n := len(r.blocks); n > 0 && (uint64(n-1) > moment.Latest().Number() || view(n-1) != r.blocks[n-1].hash); n-- {
		back(r.blocks[n-1].undo)
		r.blocks = r.blocks[:n-1]
		r.results["block undone"]++
	}
	for n := len(r.blocks); uint64(n) <= moment.Latest().Number(); n++ {
		header, transactions, receipts := r.block(hexutil.EncodeUint64(uint64(n)))
		block := r.apply(header.BaseFee, transactions, receipts)
		block.hash = view(n)
		r.blocks = append(r.blocks, block)
	}
	r.settle()
	r.compare("latest")
	header, transactions, receipts := r.block("pending")
	pending := r.apply(header.BaseFee, transactions, receipts)
	r.compare("pending")
	r.next = map[common.Address]int64{}
	for _, account := range r.all {
		r.next[account] = r.nonces[account]
	}
	clear(r.touched)
	back(pending.undo) // the accounts that it touched are compared again

	var pool []waitingNonce
	require.NoError(r.t, r.client.Call(&pool, "debug_bundler_dumpMempool", entrypoint.V07Address))
	r.pool = map[common.Address][]waitingNonce{}
	for _, w := range pool {
		r.pool[w.Sender] = append(r.pool[w.Sender], w)
	}
	r.note("%v", pool)
}

// compare compares the accounts that were touched.
func (r *operationRun) compare(tag string) {
	r.touched[entrypoint.V07Address], r.touched[entrypoint.PaymasterAddress] = true, true
	var accounts []common.Address
	for account := range r.touched {
		accounts = append(accounts, account)
	}
	slices.SortFunc(accounts, common.Address.Cmp)
	call := func(to common.Address, data []byte) []any {
		return []any{map[string]any{"to": to, "data": hexutil.Bytes(data)}, tag}
	}
	var batch []rpc.BatchElem
	answers := make([]hexutil.Big, len(accounts)*4)
	for i, a := range accounts {
		words := make([]hexutil.Bytes, 3)
		for j, args := range [][]any{
			call(entrypoint.V07Address, entryPointV07.PackBalanceOf(a)), call(entrypoint.V07Address, entryPointV07.PackGetNonce(a, new(big.Int))),
			call(r.token, tokencontract.PackBalanceOf(a)),
		} {
			batch = append(batch, rpc.BatchElem{Method: "eth_call", Args: args, Result: &words[j]})
		}
		batch = append(batch, rpc.BatchElem{Method: "eth_getBalance", Args: []any{a, tag}, Result: &answers[i*4+3]})
	}
	require.NoError(r.t, r.client.BatchCall(batch))
	for i, a := range accounts {
		is := make([]string, 4)
		for j := range 4 {
			elem := batch[i*4+j]
			require.NoError(r.t, elem.Error)
			if word, ok := elem.Result.(*hexutil.Bytes); ok {
				is[j] = half(*word).String()
			} else {
				is[j] = answers[i*4+3].ToInt().String()
			}
		}
		want := []string{text(r.deposits[a]), strconv.FormatInt(r.nonces[a], 10), text(r.tokens[a]), text(r.ether[a])}
		require.Equal(r.t, want, is, "deposit, nonce, tokens and wei of %s at %s", a, tag)
		r.results["compared"]++
	}
}

func text(n *big.Int) string {
	if n == nil {
		return "0"
	}
	return n.String()
}

// finish ends all faults, and requires that every operation is included that was not lost on purpose.
func (r *operationRun) finish() {
	r.ClearBundlerFaults()
	r.Release()
	for range 5 {
		r.Seal()
	}
	for _, account := range r.all {
		r.touched[account] = true
	}
	r.catchUp()
	// If a reorg or a fault lost bundles, the later ones wait until others take the nonces.
	for range 200 {
		if len(r.pool) == 0 {
			break
		}
		for _, i := range r.random.Perm(len(r.all))[:20] {
			r.send(r.all[i])
		}
		r.Seal()
		r.catchUp()
	}
	require.Empty(r.t, r.pool)
	for hash := range r.accepted {
		if _, ok := r.included[hash]; !ok && !r.lost[hash] && !r.failed[hash] {
			var place struct{ Where, Fault string }
			require.NoError(r.t, r.client.Call(&place, "fakenode_operation", hash))
			require.Contains(r.t, []string{"forget", "lie"}, place.Fault, hash)
			r.results["struck by "+place.Fault]++
		}
	}
}
