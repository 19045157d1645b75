package evmstate_test

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
)

func Example() {
	sender, recipient := common.HexToAddress("0x01a11ce"), common.HexToAddress("0x0b0b")
	before := evmstate.StateFromAlloc(types.GenesisAlloc{sender: {Balance: big.NewInt(100_000)}})

	block := vm.BlockContext{
		CanTransfer: core.CanTransfer,
		Transfer:    core.Transfer,
		BlockNumber: big.NewInt(1),
		Difficulty:  big.NewInt(1),
		BaseFee:     big.NewInt(1),
	}
	machine := evmstate.NewMachine(before, block, params.TestChainConfig, vm.Config{})
	defer machine.Release()
	price := uint256.NewInt(1)
	result, _, err := machine.Apply(context.Background(), &core.Message{
		From: sender, To: &recipient, Value: uint256.NewInt(50), GasLimit: 21_000,
		GasPrice: price, GasFeeCap: price, GasTipCap: new(uint256.Int),
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	after := machine.State()
	fmt.Println("gas:", result.UsedGas)
	fmt.Println("recipient:", before.Balance(recipient), "->", after.Balance(recipient))
	fmt.Println("sender:", before.Balance(sender), "->", after.Balance(sender))
	fmt.Println("roots differ:", before.Root() != after.Root())
	// Output:
	// gas: 21000
	// recipient: 0 -> 50
	// sender: 100000 -> 78950
	// roots differ: true
}
