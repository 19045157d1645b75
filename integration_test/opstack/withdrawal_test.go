package opstack

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ethereum-optimism/optimism/op-core/predeploys"
	"github.com/ethereum-optimism/optimism/op-node/bindings"
	portals "github.com/ethereum-optimism/optimism/op-node/bindings/preview"
	"github.com/ethereum-optimism/optimism/op-node/withdrawals"
	"github.com/ethereum-optimism/optimism/op-service/eth"
	"github.com/ethereum/go-ethereum/accounts/abi/bind"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/ethclient/gethclient"
	"github.com/stretchr/testify/require"
)

// Ensure the portal takes the proofs that the OP stack makes of withdrawals and pays them, to the wei, among
// withdrawals that nobody proves, with games about super roots and about blocks; and that the node's output roots are
// those of the OP stack's client.
func TestWithdrawals(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{{"--preset", "optimism"}, {"--preset", "unichain"}, {"--preset", "optimism", "--game", "8"}} {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			t.Parallel()
			p := start(t, flags...)
			l1, l2 := ethclient.NewClient(p.l1), ethclient.NewClient(p.l2)
			portal, err := portals.NewOptimismPortal2(p.config.DepositContractAddress, l1)
			require.NoError(t, err)
			at, err := portal.DisputeGameFactory(nil)
			require.NoError(t, err)
			factory, err := bindings.NewDisputeGameFactoryCaller(at, l1)
			require.NoError(t, err)
			w := withdrawer{p, rand.New(rand.NewPCG(*seed, 0)), l2}
			var started []*types.Transaction
			for range 40 {
				started = append(started, w.withdraw())
				p.call(p.l2, "fakenode_seal")
			}
			p.call(p.l2, "fakenode_propose")
			p.seal()
			p.seal()
			proofs := map[common.Hash]withdrawals.ProvenWithdrawalParameters{}
			for _, tx := range started {
				proof, err := withdrawals.ProveWithdrawalParametersFaultProofs(p.ctx, gethclient.New(p.l2), l2, l2, tx.Hash(), factory, &portal.OptimismPortal2Caller)
				require.NoError(t, err)
				proofs[tx.Hash()] = proof
				made, err := portal.ProveWithdrawalTransaction(w.paying(), call(proof), proof.L2OutputIndex, portals.TypesOutputRootProof(proof.OutputRootProof), proof.WithdrawalProof)
				require.NoError(t, err)
				p.seal()
				require.EqualValues(t, 1, p.mined(p.l1, made).Status)
			}
			p.agreeOnRoots()
			p.call(p.l1, "evm_increaseTime", 30*24*60*60)
			p.seal()
			p.seal()
			p.call(p.l1, "evm_increaseTime", 30*24*60*60)
			p.seal()
			for _, tx := range started {
				proof := proofs[tx.Hash()]
				before, err := l1.BalanceAt(p.ctx, proof.Target, nil)
				require.NoError(t, err)
				made, err := portal.FinalizeWithdrawalTransaction(w.paying(), call(proof))
				require.NoError(t, err)
				p.seal()
				require.EqualValues(t, 1, p.mined(p.l1, made).Status)
				after, err := l1.BalanceAt(p.ctx, proof.Target, nil)
				require.NoError(t, err)
				require.Equal(t, proof.Value, after.Sub(after, before))
			}
		})
	}
}

// agreeOnRoots compares the node's output roots with those that the OP stack's client makes of blocks and proofs.
func (p *pair) agreeOnRoots() {
	p.Helper()
	head, err := p.chain.L2BlockRefByLabel(p.ctx, eth.Unsafe)
	require.NoError(p, err)
	for number := uint64(0); number <= head.Number; number++ {
		output, err := p.chain.OutputV0AtBlockNumber(p.ctx, number)
		require.NoError(p, err)
		said, err := p.node.OutputAtBlock(p.ctx, number)
		require.NoError(p, err)
		require.Equal(p, eth.OutputRoot(output), said.OutputRoot, number)
		ref, err := p.chain.L2BlockRefByNumber(p.ctx, number)
		require.NoError(p, err)
		require.Equal(p, ref, said.BlockRef)
		require.Equal(p, head, said.Status.UnsafeL2)
	}
}

// withdrawer makes random withdrawals.
type withdrawer struct {
	*pair
	*rand.Rand
	l2 *ethclient.Client
}

// withdraw sends ether, and data, from the L2 to an account of the L1 without code.
func (w withdrawer) withdraw() *types.Transaction {
	passer, err := bindings.NewL2ToL1MessagePasserTransactor(predeploys.L2ToL1MessagePasserAddr, w.l2)
	require.NoError(w, err)
	opts := *w.onL2
	opts.Value = big.NewInt(w.Int64N(1e18))
	data := make([]byte, w.IntN(200))
	for i := range data {
		data[i] = byte(w.Uint32())
	}
	tx, err := passer.InitiateWithdrawal(&opts, common.BigToAddress(big.NewInt(0x20000+w.Int64N(5))), big.NewInt(100_000), data)
	require.NoError(w, err)
	return tx
}

// paying returns the options of a transaction of the payer's on the L1, with gas for what a call needs later.
func (w withdrawer) paying() *bind.TransactOpts {
	opts := *w.onL1
	opts.GasLimit = 3_000_000
	return &opts
}

// call returns a withdrawal as the portal takes it.
func call(p withdrawals.ProvenWithdrawalParameters) portals.TypesWithdrawalTransaction {
	return portals.TypesWithdrawalTransaction{Nonce: p.Nonce, Sender: p.Sender, Target: p.Target, Value: p.Value, GasLimit: p.GasLimit, Data: p.Data}
}
