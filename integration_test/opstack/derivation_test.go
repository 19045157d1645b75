package opstack

import (
	"encoding/binary"
	"flag"
	"math/big"
	"math/rand/v2"
	"testing"

	bindings "github.com/ethereum-optimism/optimism/op-node/bindings/preview"
	"github.com/ethereum-optimism/optimism/op-node/rollup/derive"
	"github.com/ethereum-optimism/optimism/op-service/eth"
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"
)

var (
	logs = flag.Int("logs", 5000, "how many logs of deposits to derive from, on each chain")
	seed = flag.Uint64("seed", 1, "of what is deposited")
)

// Ensure each block of the L2 begins with what the rollup node's own derivation makes of the L1 for it: what L1Block is
// told and the deposits, byte for byte; and that it has the time, randomness, gas limit and prices that this demands.
// Deposits are random: with and without ether, data, a recipient; by accounts and contracts; some fail, and logs of
// another contract look like them. The operator changes what SystemConfig holds, and reorgs of the L1 come between.
func TestDerivation(t *testing.T) {
	t.Parallel()
	for _, preset := range []string{"optimism", "unichain", "base-flashblocks"} {
		t.Run(preset, func(t *testing.T) {
			t.Parallel()
			p := start(t, "--preset", preset)
			require.NoError(t, p.config.Check())
			d := depositor{p, rand.New(rand.NewPCG(*seed, 0))}
			head := uint64(0)
			for d.logs() < *logs {
				for range 10 {
					d.deposit(10 + d.IntN(40))
					d.configure()
					p.seal()
					if d.IntN(8) == 0 {
						p.call(p.l1, "fakenode_reorg", map[string]any{"depth": 1 + d.IntN(3), "force": true})
						head = 0 // all again
					}
				}
				head = p.derived(head)
			}
			p.derived(0)
		})
	}
}

// derived compares the blocks of the L2 after one with what the OP stack derives, and returns the number of the head.
func (p *pair) derived(after uint64) uint64 {
	p.Helper()
	builder := derive.NewFetchingAttributesBuilder(p.config, params.MainnetChainConfig, nil, p.origin, p.chain)
	parent, err := p.chain.L2BlockRefByNumber(p.ctx, after)
	require.NoError(p, err)
	head, err := p.chain.L2BlockRefByLabel(p.ctx, eth.Unsafe)
	require.NoError(p, err)
	for parent.Number < head.Number {
		ref, err := p.chain.L2BlockRefByNumber(p.ctx, parent.Number+1)
		require.NoError(p, err)
		wanted, err := builder.PreparePayloadAttributes(p.ctx, parent, ref.L1Origin)
		require.NoError(p, err, ref)
		envelope, err := p.chain.PayloadByNumber(p.ctx, ref.Number)
		require.NoError(p, err)
		block := envelope.ExecutionPayload
		require.GreaterOrEqual(p, len(block.Transactions), len(wanted.Transactions), ref)
		require.Equal(p, wanted.Transactions, block.Transactions[:len(wanted.Transactions)], ref)
		for _, tx := range block.Transactions[len(wanted.Transactions):] {
			require.NotEqual(p, byte(0x7e), tx[0], "a deposit that is not derived")
		}
		require.Equal(p, wanted.Timestamp, block.Timestamp, ref)
		require.Equal(p, wanted.PrevRandao, block.PrevRandao, ref)
		require.Equal(p, wanted.SuggestedFeeRecipient, block.FeeRecipient, ref)
		require.Equal(p, uint64(*wanted.GasLimit), uint64(block.GasLimit), ref)
		require.Equal(p, wanted.ParentBeaconBlockRoot, envelope.ParentBeaconBlockRoot, ref)
		prices := binary.BigEndian.AppendUint64(wanted.EIP1559Params[:], *wanted.MinBaseFee)
		require.Equal(p, prices, []byte(block.ExtraData[1:]), ref)
		parent = ref
	}
	return parent.Number
}

// depositor makes random deposits.
type depositor struct {
	*pair
	*rand.Rand
}

// deposit sends transactions with deposits to the L1.
func (d depositor) deposit(transactions int) {
	client := ethclient.NewClient(d.l1)
	portal, err := bindings.NewOptimismPortal2Transactor(d.config.DepositContractAddress, client)
	require.NoError(d, err)
	nonce, err := client.PendingNonceAt(d.ctx, d.onL1.From)
	require.NoError(d, err)
	for i := range uint64(transactions) {
		opts := *d.onL1
		opts.Nonce, opts.GasLimit, opts.GasFeeCap, opts.GasTipCap = new(big.Int).SetUint64(nonce+i), 1_000_000, big.NewInt(1e12), big.NewInt(1e9)
		opts.Value = big.NewInt(d.Int64N(1e15) * d.Int64N(2))
		data := make([]byte, d.IntN(300)*d.IntN(2))
		for i := range data {
			data[i] = byte(d.Uint32())
		}
		to := common.BigToAddress(big.NewInt(0x10000 + d.Int64N(50)))
		gas, creation := 21_000+40*uint64(len(data))+d.Uint64N(30_000), d.IntN(6) == 0
		switch d.IntN(15) {
		case 0:
			gas = 20_000 // too little: the transaction reverts
		case 1:
			opts.Value = new(big.Int)
			tx, err := opts.Signer(opts.From, types.NewTx(&types.DynamicFeeTx{
				ChainID: d.config.L1ChainID, Nonce: nonce + i, Gas: opts.GasLimit, GasFeeCap: opts.GasFeeCap, GasTipCap: opts.GasTipCap, Data: pretender(),
			}))
			require.NoError(d, err)
			require.NoError(d, client.SendTransaction(d.ctx, tx))
			continue
		}
		if creation {
			to, gas = common.Address{}, gas+60_000
		}
		_, err := portal.DepositTransaction(&opts, to, big.NewInt(d.Int64N(1e15)*d.Int64N(2)), gas, creation, data)
		require.NoError(d, err)
	}
}

// configure changes a value of the operator's, every other time.
func (d depositor) configure() {
	change := []struct {
		signature string
		values    []uint64
	}{
		{"setGasLimit(uint64)", []uint64{30_000_000 + d.Uint64N(400_000_000)}},
		{"setEIP1559Params(uint32,uint32)", []uint64{1 + d.Uint64N(1000), 1 + d.Uint64N(20)}},
		{"setMinBaseFee(uint64)", []uint64{d.Uint64N(1e9)}},
		{"setGasConfigEcotone(uint32,uint32)", []uint64{d.Uint64N(1e6), d.Uint64N(1e6)}},
		{"setOperatorFeeScalars(uint32,uint64)", []uint64{d.Uint64N(1e6), d.Uint64N(1e6)}},
		{"setDAFootprintGasScalar(uint16)", []uint64{d.Uint64N(1e4)}},
		{"setBatcherHash(bytes32)", []uint64{d.Uint64()}},
		{"setUnsafeBlockSigner(address)", []uint64{d.Uint64()}},
	}[d.IntN(8)]
	if d.IntN(2) == 0 {
		return
	}
	var owner common.Hash
	config := map[string]any{"to": d.config.L1SystemConfigAddress, "data": hexutil.Bytes(crypto.Keccak256([]byte("owner()"))[:4])}
	require.NoError(d, d.l1.CallContext(d.ctx, &owner, "eth_call", config, "latest"))
	data := crypto.Keccak256([]byte(change.signature))[:4]
	for _, value := range change.values {
		data = append(data, common.BigToHash(new(big.Int).SetUint64(value)).Bytes()...)
	}
	config["data"], config["from"] = hexutil.Bytes(data), common.BytesToAddress(owner[:])
	d.call(d.l1, "anvil_impersonateAccount", config["from"])
	d.call(d.l1, "eth_sendTransaction", config)
}

// pretender returns init code that emits a log like a deposit's, from another address than the portal.
func pretender() []byte {
	code := []byte{byte(vm.PUSH0), byte(vm.PUSH1), 1, byte(vm.PUSH1), 2, byte(vm.PUSH32)}
	code = append(code, derive.DepositEventABIHash[:]...)
	return append(code, byte(vm.PUSH1), 32, byte(vm.PUSH0), byte(vm.LOG4))
}

// logs returns how many deposits the L1 has.
func (d depositor) logs() int {
	found, err := ethclient.NewClient(d.l1).FilterLogs(d.ctx, ethereum.FilterQuery{Addresses: []common.Address{d.config.DepositContractAddress}})
	require.NoError(d, err)
	return len(found)
}
