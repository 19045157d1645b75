// Package optimism holds the rules by which the blocks of an OP-stack chain such as Base differ from those of Ethereum:
// deposit transactions, the fee for data on L1, the operator fee, the base fee, the fields of the header, and the
// prices and limits of precompiled contracts. The rules are Jovian's; the table of Upgrades lists later changes.
//
// It is for package chain, which asks it where the rules differ, and for code that shows the results.
//
// # Deposits in the list of transactions
//
// go-ethereum's types.Transaction cannot hold a deposit (type 0x7e). Included makes it one more kind of
// evmstate.Transaction, so that a block has one list of transactions, in which the rules put all deposits before the
// first other transaction. Only this package encodes, hashes and executes deposits. Code that signs, pools or replaces
// transactions asks evmstate.Signed for go-ethereum's type, which a deposit does not have. A reorg of the L2 does not
// change the deposits from L1: the block that replaces another executes them again (DepositsIn).
//
// # The L1
//
// An L1 value is the L1 block that the next L2 block refers to. It is set by hand or, if an L1 runs below the L2,
// derived from that chain by package rollup. The first deposit of each block writes it into the contract L1Block, and
// the block's transactions pay the fees that it sets.
package optimism
