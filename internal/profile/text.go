package profile

import (
	"cmp"
	"fmt"
	"io"
	"math/big"
	"strings"
	"text/tabwriter"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate/trace"
)

func (p *Profile) String() string {
	var text strings.Builder
	if p.Transaction != nil {
		fmt.Fprintf(&text, "transaction %s", p.Transaction)
	} else {
		text.WriteString("call")
	}
	fmt.Fprintf(&text, ": %d gas", p.GasUsed)
	if p.Error != "" {
		fmt.Fprintf(&text, ", failed: %s", p.Error)
	}
	text.WriteString("\n\n")
	p.writeGas(&text)
	if len(p.Movements) > 0 {
		text.WriteString("\nmovements\n")
		for _, m := range p.Movements {
			fmt.Fprintf(&text, "  %s  %s -> %s\n", m.amount(), m.From, m.To)
		}
	}
	if len(p.Accounts) > 0 {
		text.WriteString("\nchanges\n")
		for i := range p.Accounts {
			p.Accounts[i].write(&text)
		}
	}
	return text.String()
}

func (p *Profile) writeGas(w io.Writer) {
	rows := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(rows, "calls\tgas\twith calls below\t\n")
	for _, f := range p.Functions {
		fmt.Fprintf(rows, "%d\t%d\t%d\t  %s.%s\n", f.Calls, f.Gas, f.TotalGas, f.display(f.Address), f.Function)
	}
	fmt.Fprintf(rows, "\t%d\t\t  before any code\n", p.IntrinsicGas)
	if p.RefundedGas > 0 {
		fmt.Fprintf(rows, "\t-%d\t\t  refunded\n", p.RefundedGas)
	}
	if p.FloorGas > 0 {
		fmt.Fprintf(rows, "\t%d\t\t  more, as the data cost at least so much\n", p.FloorGas)
	}
	_ = rows.Flush() // to a strings.Builder, which never fails
}

// amount returns the amount that moved, such as "5 of USDC 0x8335…".
func (m *Movement) amount() string {
	switch {
	case m.Token == nil:
		return m.Amount.ToInt().String() + " wei"
	case m.ID != nil:
		return fmt.Sprintf("%s of id %s of %s", m.Amount.ToInt(), m.ID.ToInt(), cmp.Or(m.Contract, m.Token.Hex()))
	}
	return fmt.Sprintf("%s of %s", m.Amount.ToInt(), cmp.Or(m.Contract, m.Token.Hex()))
}

func (a *Account) write(w io.Writer) {
	name := a.Address.Hex()
	switch {
	case a.Delegate != nil:
		name = a.display(a.Address)
	case a.Contract != "":
		name = a.Contract + " " + name
	}
	fmt.Fprintf(w, "  %s\n", name)
	if a.Balance != nil {
		difference := new(big.Int).Sub(a.Balance.To.ToInt(), a.Balance.From.ToInt())
		fmt.Fprintf(w, "    balance  %s -> %s wei (%+d)\n", a.Balance.From.ToInt(), a.Balance.To.ToInt(), difference)
	}
	if a.Nonce != nil {
		fmt.Fprintf(w, "    nonce  %d -> %d\n", a.Nonce.From, a.Nonce.To)
	}
	if a.CodeChanged {
		fmt.Fprintln(w, "    code  changed")
	}
	for _, slot := range a.Storage {
		fmt.Fprintf(w, "    %s  %s -> %s\n", slot.Name, word256(slot.From), word256(slot.To))
	}
}

// word256 returns a word in decimal if it is a small number, else in hex.
func word256(word common.Hash) string {
	if n := word.Big(); n.BitLen() <= 96 {
		return n.String()
	}
	return word.Hex()
}

// display returns an account that has the code: the name of the contract, or the address, and the contract that it
// delegates to, such as "0x7099… as Simple7702Account".
func (c Code) display(address common.Address) string {
	if c.Delegate != nil {
		return address.Hex() + " as " + cmp.Or(c.Contract, c.Delegate.Hex())
	}
	return cmp.Or(c.Contract, address.Hex())
}

// Trace returns the calls as a tree, a line each, as Foundry draws them.
func (p *Profile) Trace() string {
	var text strings.Builder
	p.Calls.write(&text, "  ")
	return text.String()
}

func (c *Call) write(w io.Writer, indent string) {
	fmt.Fprintf(w, "[%d] %s", c.Gas, c.title())
	fmt.Fprintln(w)
	for _, step := range c.Steps {
		fmt.Fprintf(w, "%s├─ ", indent)
		switch {
		case step.Call != nil:
			step.Call.write(w, indent+"│   ")
		case step.Event != nil:
			fmt.Fprintf(w, "emit %s.%s\n", step.Event.display(step.Event.Address), step.Event.Text)
		default:
			fmt.Fprintf(w, "console.log: %s\n", step.Console)
		}
	}
	switch {
	case c.Error != "":
		fmt.Fprintf(w, "%s└─ ← %s\n", indent, c.Error)
	case c.Op == "CREATE" || c.Op == "CREATE2":
		fmt.Fprintf(w, "%s└─ ← %s\n", indent, c.To)
	default:
		fmt.Fprintf(w, "%s└─ ← %s\n", indent, c.Result)
	}
}

// title returns the title of a call, such as "Vault.deposit(amount: 5) [DELEGATECALL]".
func (c *Call) title() string {
	title := c.display(c.To) + "." + c.Text
	if c.Op == "CREATE" || c.Op == "CREATE2" {
		title = "new " + c.display(c.To)
	}
	if c.Op != "CALL" && c.Op != "CREATE" {
		title += " [" + c.Op + "]"
	}
	if c.Value != nil {
		title += fmt.Sprintf(" {%s wei}", c.Value.ToInt())
	}
	return title
}

// The events of tokens.
var (
	transferTopic = crypto.Keccak256Hash([]byte("Transfer(address,address,uint256)"))                          // ERC-20 and ERC-721
	singleTopic   = crypto.Keccak256Hash([]byte("TransferSingle(address,address,address,uint256,uint256)"))    // ERC-1155
	batchTopic    = crypto.Keccak256Hash([]byte("TransferBatch(address,address,address,uint256[],uint256[])")) // ERC-1155
)

// twoLists are the arguments of TransferBatch that are not indexed.
var twoLists = func() abi.Arguments {
	list, _ := abi.NewType("uint256[]", "", nil)
	return abi.Arguments{{Type: list}, {Type: list}}
}()

// move adds the movements of a branch and of those below it, without failed branches.
func (w *writer) move(p *Profile, b *trace.Branch) {
	if b.Err != nil {
		return
	}
	moves := b.Op != vm.DELEGATECALL.String() && b.Op != vm.CALLCODE.String()
	if moves && b.Value.Sign() > 0 && b.From != b.To {
		p.Movements = append(p.Movements, Movement{From: b.From, To: b.To, Amount: (*hexutil.Big)(b.Value)})
	}
	for _, step := range b.Steps {
		if step.Branch != nil {
			w.move(p, step.Branch)
		} else {
			p.Movements = append(p.Movements, w.moved(step.Log)...)
		}
	}
}

func (w *writer) moved(log *types.Log) []Movement {
	// From amsterdam on ether that moves has logs of its own (EIP-7708).
	if len(log.Topics) == 0 || log.Address == params.SystemAddress {
		return nil
	}
	of := func(from, to common.Hash, amount, id *big.Int) Movement {
		return Movement{
			Token: &log.Address, Contract: w.name(log.Address), From: common.BytesToAddress(from[:]), To: common.BytesToAddress(to[:]),
			Amount: (*hexutil.Big)(amount), ID: (*hexutil.Big)(id),
		}
	}
	switch topics := log.Topics; {
	case topics[0] == transferTopic && len(topics) == 3 && len(log.Data) == 32:
		return []Movement{of(topics[1], topics[2], word(log.Data, 0), nil)}
	case topics[0] == transferTopic && len(topics) == 4:
		return []Movement{of(topics[1], topics[2], big.NewInt(1), topics[3].Big())}
	case topics[0] == singleTopic && len(topics) == 4 && len(log.Data) == 64:
		return []Movement{of(topics[2], topics[3], word(log.Data, 1), word(log.Data, 0))}
	case topics[0] == batchTopic && len(topics) == 4:
		lists, err := twoLists.Unpack(log.Data)
		if err != nil {
			return nil
		}
		ids, amounts := lists[0].([]*big.Int), lists[1].([]*big.Int)
		if len(ids) != len(amounts) {
			return nil
		}
		var movements []Movement
		for i := range ids {
			movements = append(movements, of(topics[2], topics[3], amounts[i], ids[i]))
		}
		return movements
	}
	return nil
}

func word(data []byte, i int) *big.Int { return new(big.Int).SetBytes(data[32*i : 32*i+32]) }
