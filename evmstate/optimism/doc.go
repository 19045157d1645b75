// Package optimism holds the rules by which the blocks of an OP-stack chain such as Base differ from those of Ethereum:
// deposit transactions, the fee for data on L1, the operator fee, the base fee and the fields of the header, up to the
// Jovian upgrade.
//
// It is for package chain, which asks it where the rules differ, and for code that shows the results.
//
// # Deposits beside transactions
//
// go-ethereum's types.Transaction cannot hold a deposit (type 0x7e), and the rules put all deposits of a block before
// its first transaction. So a block has two lists: its deposits and, as on any other chain, its transactions. Code that
// deals with signed transactions (the pool, reorgs, replacement, most of the chain) does not know of deposits and pays
// nothing for them. Code that shows a block or computes its roots takes both lists; the position of a transaction in
// the block is its index plus the number of deposits.
//
// # The L1
//
// There is no L1. An L1 value stands for it: the block that the next L2 block refers to. The first deposit of each
// block writes it into the contract L1Block, and what that deposit says is what the block's transactions pay.
package optimism
