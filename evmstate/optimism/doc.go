// Package optimism holds the rules by which the blocks of an OP-stack chain such as Base differ from those of Ethereum:
// deposit transactions, the fee for data on L1, the operator fee, the base fee, the fields of the header, and the
// prices and limits of precompiled contracts. The rules are those of Jovian; the table of Upgrades has what changed
// since.
//
// It is for package chain, which asks it where the rules differ, and for code that shows the results.
//
// # Deposits in the list of transactions
//
// go-ethereum's types.Transaction cannot hold a deposit (type 0x7e). Included makes it one more kind of
// evmstate.Transaction, so that a block has one list of transactions, in which the rules put all deposits before the
// first other transaction. Only this package knows how a deposit is encoded, hashed and executed. Code that signs,
// pools or replaces transactions asks evmstate.Signed for go-ethereum's type, which a deposit does not have. A reorg of
// the L2 does not change what L1 brings: the block that replaces another executes the same deposits again (DepositsIn).
//
// # The L1
//
// There is no L1. An L1 value stands for it: the block that the next L2 block refers to. The first deposit of each
// block writes it into the contract L1Block, and the block's transactions pay the fees that it sets.
package optimism
