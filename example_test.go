package fakenode_test

import (
	"context"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/ethclient"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
)

// Outside a test, New starts a node and Close ends it.
func ExampleNew() {
	node, err := fakenode.New(fakenode.Config{StartTime: time.Unix(1_700_000_000, 0)})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer node.Close()
	client, err := ethclient.Dial(node.URL())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()

	node.Advance(10 * time.Second) // five blocks of 2 s, each of ten flashblocks
	header, err := client.HeaderByNumber(context.Background(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("block", header.Number, "at", header.Time, header.Hash())
	fmt.Println("account 0 holds", node.Token().BalanceOf(node.Account(0).Address).Dec(), "token units")
	// Output:
	// block 5 at 1700000010 0xf78487bf102d8468ef822624c8c8b451517ba0d69198c0d88ab52c26d4867559
	// account 0 holds 1000000000000 token units
}

// A payment is captured, and a reorg takes it back.
func ExampleNetwork_Scenario() {
	node, err := fakenode.New(fakenode.Config{StartTime: time.Unix(1_700_000_000, 0)})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer node.Close()
	conclusion, err := node.Scenario("CaptureReorgedOut", fakenode.ScenarioParams{Amount: "12.50"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("settled:", conclusion.Settled)
	fmt.Println("nonce used:", node.Token().AuthorizationState(conclusion.Payer, conclusion.Nonce))
	fmt.Println("orphans:", len(conclusion.Orphans))
	// Output:
	// settled: false
	// nonce used: false
	// orphans: 1
}

// An authorization is good for 15 minutes; a test need not wait for that.
func ExampleNetwork_Advance() {
	node, err := fakenode.New(fakenode.Config{StartTime: time.Unix(1_700_000_000, 0)})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer node.Close()
	payer, merchant := node.Account(0), node.Account(1)
	authorization := fixtures.Authorization(payer, merchant, fixtures.USD("25.00"), node.Now())
	progress := node.Advance(16 * time.Minute)
	fmt.Println("blocks:", progress.BlockNumber)
	fmt.Println("expired:", uint64(node.Now().Unix()) >= authorization.ValidBefore)
	// Output:
	// blocks: 480
	// expired: true
}
