// Package profile describes the execution of a transaction or call: its calls by name, the gas of each contract and
// function, the token movements, and the changes of the state.
package profile

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/internal/artifacts"
)

// Profile describes a transaction or call. Gas is in gas, ether in wei, tokens in their smallest units. The names of
// unknown contracts are empty. It encodes to the JSON of fakenode_profile; String is a table for people.
type Profile struct {
	// Transaction is nil for a call.
	Transaction *common.Hash `json:"transaction"`
	// Error is the reason why it failed, empty if it did not.
	Error string `json:"error,omitempty"`

	// GasUsed is the receipt's: IntrinsicGas and the Gas of all Functions, less RefundedGas, plus FloorGas if that is
	// below the least price of the data (EIP-7623).
	GasUsed      uint64     `json:"gasUsed"`
	IntrinsicGas uint64     `json:"intrinsicGas"`
	RefundedGas  uint64     `json:"refundedGas"`
	FloorGas     uint64     `json:"floorGas"`
	Functions    []Function `json:"functions"` // the most gas first

	// Movements lists movements of ether and tokens, in order, without those that a failure undid.
	Movements []Movement `json:"movements"`
	// Accounts lists the accounts whose state changed, by address.
	Accounts []Account `json:"accounts"`
	// Calls is the call of the transaction with everything below it.
	Calls *Call `json:"calls"`
}

// Code names the code of an account.
type Code struct {
	// Contract is the name of the contract, empty if it is not known.
	Contract string `json:"contract,omitempty"`
	// Delegate is the account whose code it is, if the account delegates to another one (EIP-7702). Nil: its own.
	Delegate *common.Address `json:"delegate,omitempty"`
}

// Function is one function of a contract; behind a proxy, of the contract whose code ran.
type Function struct {
	Address common.Address `json:"address"`
	Code
	// Function is its signature, its selector in hex if the signature is unknown, or "constructor", "transfer" for an
	// account without code, "receive" for a call without data, "selfdestruct", "precompile", "console.log".
	Function string `json:"function"`
	Calls    int    `json:"calls"`
	Gas      uint64 `json:"gas"`      // of its own code
	TotalGas uint64 `json:"totalGas"` // with the calls below
}

// Movement is an amount of ether or of a token that went from one account to another.
type Movement struct {
	Token    *common.Address `json:"token"` // nil: ether
	Contract string          `json:"contract,omitempty"`
	From     common.Address  `json:"from"`
	To       common.Address  `json:"to"`
	Amount   *hexutil.Big    `json:"amount"`
	// ID is the id of an NFT, or of a kind of token (ERC-1155).
	ID *hexutil.Big `json:"id,omitempty"`
}

// Account holds the changes of an account. Unchanged fields are nil.
type Account struct {
	Address common.Address `json:"address"`
	Code
	Balance     *Values[hexutil.Big]    `json:"balance,omitempty"` // wei
	Nonce       *Values[hexutil.Uint64] `json:"nonce,omitempty"`
	CodeChanged bool                    `json:"code,omitempty"`
	Storage     []Slot                  `json:"storage,omitempty"`
}

type Values[T any] struct {
	From T `json:"from"`
	To   T `json:"to"`
}

// Slot is a slot of storage that changed.
type Slot struct {
	Slot common.Hash `json:"slot"`
	// Name is the name of the variable, such as "balances[0x7099…]", or "slot 3" if the artifact has no storage layout.
	Name string `json:"name"`
	Values[common.Hash]
}

type Call struct {
	Op   string         `json:"op"` // as the EVM names it, such as "CALL"
	From common.Address `json:"from"`
	To   common.Address `json:"to"`
	Code
	// Text is the call in words, such as "deposit(amount: 5)", or the data in hex.
	Text   string       `json:"text"`
	Value  *hexutil.Big `json:"value,omitempty"` // wei; nil: none
	Gas    uint64       `json:"gas"`             // with the calls below
	Result string       `json:"result,omitempty"`
	Error  string       `json:"error,omitempty"`
	Steps  []Step       `json:"steps,omitempty"`
}

// Step is a call, an event, or a line of console.log.
type Step struct {
	Call    *Call  `json:"call,omitempty"`
	Event   *Event `json:"event,omitempty"`
	Console string `json:"console,omitempty"`
}

// Event is a log.
type Event struct {
	Address common.Address `json:"address"`
	Code
	// Text is the event in words, such as "Deposited(from: 0x…, amount: 5)", or topics and data in hex.
	Text string `json:"text"`
}

// New returns the profile of tree, which was executed on that chain, with the names of known, which may be nil.
func New(tree *trace.Tree, on *chain.Chain, known *artifacts.Set) *Profile {
	w := writer{on: on, known: known, contracts: map[common.Address]*artifacts.Artifact{}, delegates: map[common.Address]*common.Address{}}
	w.meet(tree.Root)
	p := &Profile{
		GasUsed: tree.GasUsed, IntrinsicGas: tree.Intrinsic, Functions: w.functions(tree.Root), Movements: []Movement{},
		Accounts: w.accounts(tree), Calls: w.call(tree.Root),
	}
	if tree.Hash != (common.Hash{}) {
		p.Transaction = &tree.Hash
	}
	p.Error = p.Calls.Error
	spent := tree.Intrinsic + tree.Root.GasUsed
	p.RefundedGas, p.FloorGas = max(spent, tree.GasUsed)-tree.GasUsed, max(spent, tree.GasUsed)-spent
	w.move(p, tree.Root)
	return p
}

// Named returns the contract and the function that a branch calls, as Function has them.
func Named(b *trace.Branch, known *artifacts.Set) (contract, function string) {
	w := writer{known: known, contracts: map[common.Address]*artifacts.Artifact{b.To: known.Contract(b.CodeHash, b.Code)}}
	return w.name(b.To), w.function(b)
}
