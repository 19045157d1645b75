package rpcserver_test

import (
	"bytes"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/consensus/ethash"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
)

// chainsToFork make the chains whose answers a fork must repeat.
var chainsToFork = map[string]func(*testing.T) *fakenode.Node{
	"osaka": osakaChain,
	"op":    func(t *testing.T) *fakenode.Node { return rollupChain(t) },
	"pow":   minedChain,
}

// osakaChain runs a node whose blocks have everything that a block of Ethereum may have.
func osakaChain(t *testing.T) *fakenode.Node {
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: time.Unix(1_700_000_000, 0)})
	play(t, node)
	c := node.Moment().Chain()
	withdrawals := types.Withdrawals{{Index: 1, Validator: 2, Address: common.Address{0x77}, Amount: 5}}
	for _, env := range []chain.Env{{Withdrawals: withdrawals}, {}} {
		env.Time = c.Head().Time() + 12
		draft, err := c.NewDraft(env)
		require.NoError(t, err)
		from := fixtures.Dev(9)
		draft, _, err = draft.Add(types.MustSignNewTx(from.Key, node.Moment().Signer(), &types.BlobTx{
			ChainID: uint256.MustFromBig(c.Config().ChainID), Nonce: draft.State().Nonce(from.Address), Gas: 50_000, To: common.Address{0xb1},
			GasFeeCap: uint256.NewInt(params.Ether / 1000), GasTipCap: uint256.NewInt(3), BlobFeeCap: uint256.NewInt(params.GWei), BlobHashes: []common.Hash{{1}, {1, 2}},
		}), from.Address)
		require.NoError(t, err)
		c, _, err = draft.Seal()
		require.NoError(t, err)
	}
	var blocks bytes.Buffer
	require.NoError(t, c.Export(&blocks))
	return fakenode.RunConfigT(t, fakenode.Config{Genesis: c.Genesis(), Import: &blocks})
}

// rollupChain runs a node of an OP-stack chain.
func rollupChain(t *testing.T) *fakenode.Node {
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: time.Unix(1_700_000_000, 0), Preset: fakenode.BaseFlashblocks})
	play(t, node)
	var hash common.Hash
	require.NoError(t, node.Client().Client().Call(&hash, "fakenode_deposit", map[string]any{
		"from": fixtures.Dev(5).Address, "to": common.Address{0xde}, "mint": "0x9", "value": "0x7",
	}))
	node.Seal()
	return node
}

// minedChain runs a node with blocks that go-ethereum mined before the merge, two of them with uncles.
func minedChain(t *testing.T) *fakenode.Node {
	config, err := chain.ForkConfig("grayglacier", 31337)
	require.NoError(t, err)
	from := fixtures.Dev(0)
	genesis := &chain.Genesis{
		Config: config, Timestamp: 1_700_000_000, GasLimit: 30_000_000, Difficulty: big.NewInt(131_072), BaseFee: big.NewInt(params.GWei),
		Alloc: types.GenesisAlloc{from.Address: {Balance: big.NewInt(params.Ether)}},
	}
	_, mined, _ := core.GenerateChainWithGenesis(genesis, ethash.NewFaker(), 7, func(i int, b *core.BlockGen) {
		b.SetCoinbase(common.Address{0xcb})
		b.AddTx(types.MustSignNewTx(from.Key, types.LatestSigner(config), &types.LegacyTx{
			Nonce: b.TxNonce(from.Address), To: &common.Address{0xaa}, Value: big.NewInt(int64(i)), Gas: 30_000, GasPrice: big.NewInt(2 * params.GWei),
		}))
		for miner := range byte(i / 3) {
			b.AddUncle(&types.Header{ParentHash: b.PrevBlock(i - 2).Hash(), Number: big.NewInt(int64(i)), Coinbase: common.Address{0xb1, miner}})
		}
	})
	var blocks bytes.Buffer
	for _, block := range mined {
		require.NoError(t, rlp.Encode(&blocks, block))
	}
	return fakenode.RunConfigT(t, fakenode.Config{Genesis: genesis, Import: &blocks})
}

// play seals blocks with payments, contracts that call and create others, and failures.
func play(t *testing.T, node *fakenode.Node) {
	t.Helper()
	payer, merchant := node.Account(1), node.Account(2)
	send := func(from fakenode.Account, to *common.Address, wei uint64, data []byte) {
		t.Helper()
		_, err := node.Transact(from, fakenode.Tx{To: to, Value: uint256.NewInt(wei), Data: data, Gas: 1_000_000})
		require.NoError(t, err)
	}
	signed := func(from fakenode.Account, tx types.TxData) {
		t.Helper()
		require.NoError(t, node.Send(types.MustSignNewTx(from.Key, node.Moment().Signer(), tx)))
	}
	chainID := new(big.Int).SetUint64(node.ChainID())
	price := big.NewInt(10 * params.GWei)

	send(payer, &merchant.Address, 7, nil)
	send(merchant, &common.Address{0xaa}, 8, nil)
	node.Seal()

	token := node.Token().Address()
	payment := fixtures.Sign(payer, node.Token().Domain(), fixtures.Authorization(payer, merchant, fixtures.USD("25"), node.Now()))
	send(merchant, &token, 0, payment.Capture())
	send(merchant, &token, 0, payment.Capture()) // reverts: the authorization is used
	node.Seal()

	// The contract calls the token and pays two accounts of its 100 wei.
	caller := program.New().Call(nil, token, 0, 0, 0, 0, 32).Call(nil, common.Address{0xbb}, 5, 0, 0, 0, 0).Call(nil, common.Address{0xcc}, 6, 0, 0, 0, 0)
	created, err := node.Deploy(node.Account(3), program.New().ReturnViaCodeCopy(caller.Bytes()).Bytes())
	require.NoError(t, err)
	send(node.Account(3), &created, 0, nil)
	send(payer, &created, 100, nil)
	node.Seal()

	// The init code creates a contract with 2 wei and one with 3, by CREATE2, then destroys its own.
	send(node.Account(3), nil, 9, common.FromHex("600060006002f050"+"6000600060006003f550"+"33ff"))
	send(node.Account(3), nil, 0, common.FromHex("60016000526020601ffd")) // reverts with a byte
	node.Seal()
	node.Seal()

	next := func(from fakenode.Account) uint64 { return node.Moment().PoolNonce(from.Address) }
	signed(payer, &types.AccessListTx{
		ChainID: chainID, Nonce: next(payer), GasPrice: price, Gas: 500_000, To: &token,
		AccessList: types.AccessList{{Address: token, StorageKeys: []common.Hash{{1}}}}, Data: payment.Capture(),
	})
	signed(merchant, &types.DynamicFeeTx{
		ChainID: chainID, Nonce: next(merchant), GasTipCap: big.NewInt(2), GasFeeCap: price, Gas: 50_000, To: &common.Address{0xaa}, Value: big.NewInt(1),
	})
	delegate := node.Account(4)
	authorization, err := types.SignSetCode(delegate.Key, types.SetCodeAuthorization{ChainID: *uint256.MustFromBig(chainID), Address: created, Nonce: next(delegate)})
	require.NoError(t, err)
	signed(node.Account(3), &types.SetCodeTx{
		ChainID: uint256.MustFromBig(chainID), Nonce: next(node.Account(3)), GasTipCap: uint256.NewInt(1), GasFeeCap: uint256.MustFromBig(price),
		Gas: 500_000, To: delegate.Address, Value: uint256.NewInt(50), AuthList: []types.SetCodeAuthorization{authorization},
	})
	node.Seal()
}
