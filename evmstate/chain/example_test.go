package chain_test

import (
	"fmt"
	"log"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate/chain"
)

func Example() {
	config, err := chain.ForkConfig("osaka", 1337)
	if err != nil {
		log.Fatal(err)
	}
	key, _ := crypto.ToECDSA(crypto.Keccak256([]byte("a test key")))
	payer, payee := crypto.PubkeyToAddress(key.PublicKey), common.Address{1}
	genesis := &chain.Genesis{Config: config, GasLimit: 30_000_000, Alloc: chain.SystemContracts(config), Difficulty: new(big.Int)}
	genesis.Alloc[payer] = types.Account{Balance: big.NewInt(params.Ether)}

	before, err := chain.New(genesis, chain.Options{})
	if err != nil {
		log.Fatal(err)
	}
	draft, err := before.NewDraft(chain.Env{Time: 100})
	if err != nil {
		log.Fatal(err)
	}
	tx := types.MustSignNewTx(key, types.LatestSigner(config), &types.DynamicFeeTx{
		ChainID: config.ChainID, To: &payee, Value: big.NewInt(42), Gas: 21_000, GasFeeCap: big.NewInt(params.GWei),
	})
	draft, receipt, err := draft.Add(tx, payer)
	if err != nil {
		log.Fatal(err)
	}
	after, block, err := draft.Seal()
	if err != nil {
		log.Fatal(err)
	}
	state, err := after.StateAt(block)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("gas", receipt.GasUsed, "balance", state.Balance(payee))
	fmt.Println("heads", before.Head().Number(), after.Head().Number())
	// Output:
	// gas 21000 balance 42
	// heads 0 1
}
