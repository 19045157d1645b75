package opgeth

import (
	"context"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"

	"github.com/fakenode/fakenode/nodetest"
)

// Ensure op-geth's client reads a block of the OP stack: the deposit that begins it, a transfer that is announced
// before it, and what the transfer pays for the L1.
func TestClient(t *testing.T) {
	node, client := dial(t)
	ctx := t.Context()

	payee := common.HexToAddress("0x00000000000000000000000000000000000000aa")
	sent := transfer(ctx, t, client, node.Account(0).PrivateKey, payee, big.NewInt(1_000_000_000))
	if balance, err := client.PendingBalanceAt(ctx, payee); err != nil || balance.Int64() != 0 {
		t.Fatalf("before the flashblock the payee has %v, %v", balance, err)
	}
	node.Preconfirm()
	if balance, err := client.PendingBalanceAt(ctx, payee); err != nil || balance.Int64() != 1_000_000_000 {
		t.Fatalf("at the flashblock the payee has %v, %v", balance, err)
	}
	node.Seal()

	block, err := client.BlockByNumber(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	transactions := block.Transactions()
	if len(transactions) != 2 || !transactions[0].IsDepositTx() || transactions[1].Hash() != sent.Hash() {
		t.Fatalf("the block has %d transactions", len(transactions))
	}
	receipt, err := client.TransactionReceipt(ctx, sent.Hash())
	if err != nil {
		t.Fatal(err)
	}
	if receipt.Status != types.ReceiptStatusSuccessful || receipt.L1Fee == nil || receipt.L1Fee.Sign() == 0 {
		t.Fatalf("the receipt has status %d, L1 fee %v", receipt.Status, receipt.L1Fee)
	}
}

// Ensure a reorg on command is seen as one: the receipt of a transaction that it dropped is gone.
func TestReorg(t *testing.T) {
	node, client := dial(t)
	ctx := t.Context()
	sent := transfer(ctx, t, client, node.Account(0).PrivateKey, common.Address{19: 0xbb}, big.NewInt(1))
	node.Seal()
	if _, err := client.TransactionReceipt(ctx, sent.Hash()); err != nil {
		t.Fatal(err)
	}
	if _, err := node.Reorg(nodetest.ReorgOptions{Depth: 1, Drop: []string{sent.Hash().Hex()}}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.TransactionReceipt(ctx, sent.Hash()); err != ethereum.NotFound {
		t.Fatalf("got %v, want that the receipt is not found", err)
	}
}

// dial returns a chain of the test's own by the rules of OP Mainnet, and a client of it.
func dial(t *testing.T) (*nodetest.Node, *ethclient.Client) {
	t.Helper()
	node := nodetest.RunT(t, "--preset=optimism")
	client, err := ethclient.DialContext(t.Context(), node.URL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return node, client
}

// transfer sends a transfer of value, in wei, signed with a key in hex.
func transfer(ctx context.Context, t *testing.T, client *ethclient.Client, key string, to common.Address, value *big.Int) *types.Transaction {
	t.Helper()
	private, err := crypto.HexToECDSA(strings.TrimPrefix(key, "0x"))
	if err != nil {
		t.Fatal(err)
	}
	chain, err := client.ChainID(ctx)
	if err != nil {
		t.Fatal(err)
	}
	nonce, err := client.PendingNonceAt(ctx, crypto.PubkeyToAddress(private.PublicKey))
	if err != nil {
		t.Fatal(err)
	}
	signed, err := types.SignNewTx(private, types.LatestSignerForChainID(chain), &types.DynamicFeeTx{
		ChainID: chain, Nonce: nonce, Gas: 21_000, GasFeeCap: big.NewInt(10_000_000_000), GasTipCap: big.NewInt(1_000_000), To: &to, Value: value,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := client.SendTransaction(ctx, signed); err != nil {
		t.Fatal(err)
	}
	return signed
}
