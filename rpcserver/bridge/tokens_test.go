package bridge_test

import (
	"bytes"
	"math/big"
	"os"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/internal/contracts/predeploys"
)

// pairTest is an L2 and its L1 for tests of the bridge's contracts.
type pairTest struct {
	*testing.T
	node *fakenode.Node
}

func newPair(t *testing.T, config fakenode.Config) pairTest {
	t.Helper()
	config.L1, config.StartTime = true, time.Unix(1_800_000_000, 0)
	if config.Preset == "" {
		config.Preset = fakenode.Base
	}
	return pairTest{t, fakenode.RunConfigT(t, config)}
}

// call encodes a call by its signature.
func (p pairTest) call(signature string, arguments ...any) []byte {
	p.Helper()
	method, err := abi.ParseSelector(signature)
	require.NoError(p, err)
	inputs := make(abi.Arguments, len(method.Inputs))
	for i, input := range method.Inputs {
		inputs[i].Type, err = abi.NewType(input.Type, "", input.Components)
		require.NoError(p, err)
	}
	packed, err := inputs.Pack(arguments...)
	require.NoError(p, err)
	return append(abi.NewMethod(method.Name, method.Name, abi.Function, "", false, false, inputs, nil).ID, packed...)
}

// portal encodes a call of the portal.
func (p pairTest) portal(name string, arguments ...any) []byte {
	p.Helper()
	text, err := os.ReadFile("../../internal/contracts/l1/portal.abi")
	require.NoError(p, err)
	parsed, err := abi.JSON(bytes.NewReader(text))
	require.NoError(p, err)
	data, err := parsed.Pack(name, arguments...)
	require.NoError(p, err)
	return data
}

// sealed executes a call of account 0 in the next block of a network, and returns its receipt.
func (p pairTest) sealed(on *fakenode.Network, to common.Address, wei uint64, data []byte) *types.Receipt {
	p.Helper()
	from := p.node.Account(0)
	tx, err := on.Timeline().SendAs(from.Address, nil, func(nonce uint64) (*types.Transaction, error) {
		return types.SignNewTx(from.Key, on.Moment().Signer(), &types.DynamicFeeTx{
			ChainID: on.Moment().Chain().Config().ChainID, Nonce: nonce, GasFeeCap: big.NewInt(1e12), GasTipCap: big.NewInt(1),
			Gas: 3_000_000, To: &to, Value: new(big.Int).SetUint64(wei), Data: data,
		})
	})
	require.NoError(p, err)
	on.Seal()
	found, err := on.Moment().Find(tx.Hash())
	require.NoError(p, err)
	require.NotNil(p, found.Receipt)
	return found.Receipt
}

// withdrawalTransaction holds the members of a withdrawal as the L2 keeps it.
type withdrawalTransaction struct {
	Nonce           *big.Int
	Sender, Target  common.Address
	Value, GasLimit *big.Int
	Data            []byte
}

// lastWithdrawal returns the withdrawal in a receipt of the L2, in the portal's form.
func (p pairTest) lastWithdrawal(receipt *types.Receipt) (w withdrawalTransaction, hash common.Hash) {
	p.Helper()
	for _, log := range receipt.Logs {
		if log.Address == optimism.MessagePasser {
			unindexed := abi.Arguments{}
			for _, name := range []string{"uint256", "uint256", "bytes", "bytes32"} {
				kind, err := abi.NewType(name, "", nil)
				require.NoError(p, err)
				unindexed = append(unindexed, abi.Argument{Type: kind})
			}
			values, err := unindexed.Unpack(log.Data)
			require.NoError(p, err)
			return withdrawalTransaction{
				log.Topics[1].Big(), common.BytesToAddress(log.Topics[2][:]), common.BytesToAddress(log.Topics[3][:]),
				values[0].(*big.Int), values[1].(*big.Int), values[2].([]byte),
			}, values[3].([32]byte)
		}
	}
	p.Fatal("no withdrawal")
	return w, hash
}

// paid proves and finalizes the withdrawal of a receipt, and returns the receipt of the payment.
func (p pairTest) paid(receipt *types.Receipt) *types.Receipt {
	p.Helper()
	withdrawal, hash := p.lastWithdrawal(receipt)
	number := receipt.BlockNumber.Uint64()
	proposed, err := p.node.Bridge().Propose(&number, nil)
	require.NoError(p, err)
	p.node.L1().Seal()
	games, err := p.node.Bridge().Games()
	require.NoError(p, err)
	require.Equal(p, number, games[len(games)-1].Number)

	proof := p.proof(number, hash)
	require.Equal(p, proposed.Root, proof.output.root())
	proven := p.sealed(p.node.L1(), l1.Base.Portal, 0, p.portal("proveWithdrawalTransaction",
		withdrawal, new(big.Int).SetUint64(games[len(games)-1].Index), proof.output, proof.nodes))
	require.EqualValues(p, 1, proven.Status)
	require.NoError(p, p.node.Timeline().IncreaseTime(6*24*time.Hour))
	p.node.L1().Seal()
	p.node.L1().Seal()
	return p.sealed(p.node.L1(), l1.Base.Portal, 0, p.portal("finalizeWithdrawalTransaction", withdrawal))
}

// outputProof holds the members whose hash is the output root, in the portal's form.
type outputProof struct{ Version, StateRoot, MessagePasserStorageRoot, LatestBlockhash [32]byte }

func (o outputProof) root() common.Hash {
	return crypto.Keccak256Hash(o.Version[:], o.StateRoot[:], o.MessagePasserStorageRoot[:], o.LatestBlockhash[:])
}

// withdrawalProof shows that a withdrawal is in a block of the L2.
type withdrawalProof struct {
	output outputProof
	nodes  [][]byte
}

// proof asks the L2 over the wire for the proof that a withdrawal is in its block.
func (p pairTest) proof(number uint64, hash common.Hash) withdrawalProof {
	p.Helper()
	client, err := rpc.DialContext(p.Context(), p.node.URL())
	require.NoError(p, err)
	defer client.Close()
	var answer struct {
		StorageHash  common.Hash
		StorageProof []struct{ Proof []hexutil.Bytes }
	}
	slot := crypto.Keccak256Hash(hash[:], make([]byte, 32))
	require.NoError(p, client.CallContext(p.Context(), &answer, "eth_getProof", optimism.MessagePasser, []common.Hash{slot}, hexutil.Uint64(number)))
	view, err := p.node.Moment().ByNumber(number)
	require.NoError(p, err)
	proof := withdrawalProof{output: outputProof{StateRoot: view.Header().Root, MessagePasserStorageRoot: answer.StorageHash, LatestBlockhash: view.Hash()}}
	for _, node := range answer.StorageProof[0].Proof {
		proof.nodes = append(proof.nodes, node)
	}
	return proof
}

// Ensure the bridge moves ether and a token to the L2 and back, each by messages that the other side relays.
func TestBridgeMovesTokens(t *testing.T) {
	t.Parallel()
	p := newPair(t, fakenode.Config{})
	alice, bob := p.node.Account(0).Address, p.node.Account(1).Address
	balance := func(on *fakenode.Network, of common.Address) *uint256.Int {
		state, err := on.Moment().Latest().State()
		require.NoError(t, err)
		return state.Balance(of)
	}

	before := balance(p.node.Network, bob)
	receipt := p.sealed(p.node.L1(), l1.Base.StandardBridge, 1000, p.call("bridgeETHTo(address,uint32,bytes)", bob, uint32(200_000), []byte{}))
	require.EqualValues(t, 1, receipt.Status)
	p.node.Seal()
	require.EqualValues(t, 1000, new(uint256.Int).Sub(balance(p.node.Network, bob), before).Uint64())

	before = balance(p.node.L1(), bob)
	receipt = p.sealed(p.node.Network, predeploys.StandardBridgeAddress, 400, p.call("bridgeETHTo(address,uint32,bytes)", bob, uint32(200_000), []byte{}))
	require.EqualValues(t, 1, receipt.Status)
	receipt = p.paid(receipt)
	require.EqualValues(t, 1, receipt.Status)
	require.EqualValues(t, 400, new(uint256.Int).Sub(balance(p.node.L1(), bob), before).Uint64())

	// The bridges do not mint the L2's token, but lock it on both sides.
	onL1, onL2 := p.node.L1().Token(), p.node.Token()
	approve := p.call("approve(address,uint256)", l1.Base.StandardBridge, big.NewInt(5_000_000))
	require.EqualValues(t, 1, p.sealed(p.node.L1(), onL1.Address(), 0, approve).Status)
	had := onL2.BalanceOf(alice)
	receipt = p.sealed(p.node.L1(), l1.Base.StandardBridge, 0, p.call("bridgeERC20(address,address,uint256,uint32,bytes)",
		onL1.Address(), onL2.Address(), big.NewInt(5_000_000), uint32(300_000), []byte{}))
	require.EqualValues(t, 1, receipt.Status)
	p.node.Seal()
	require.EqualValues(t, 5_000_000, new(uint256.Int).Sub(onL2.BalanceOf(alice), had).Uint64())

	approve = p.call("approve(address,uint256)", predeploys.StandardBridgeAddress, big.NewInt(2_000_000))
	require.EqualValues(t, 1, p.sealed(p.node.Network, onL2.Address(), 0, approve).Status)
	receipt = p.sealed(p.node.Network, predeploys.StandardBridgeAddress, 0, p.call("bridgeERC20(address,address,uint256,uint32,bytes)",
		onL2.Address(), onL1.Address(), big.NewInt(2_000_000), uint32(300_000), []byte{}))
	require.EqualValues(t, 1, receipt.Status)
	had = onL1.BalanceOf(alice)
	p.paid(receipt)
	require.EqualValues(t, 2_000_000, new(uint256.Int).Sub(onL1.BalanceOf(alice), had).Uint64())
}
