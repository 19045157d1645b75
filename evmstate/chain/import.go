package chain

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
)

// maxBlockBytes is the highest length of one block of an imported file, in bytes of RLP.
const maxBlockBytes = 256 << 20

// ImportError reports why a block was rejected.
type ImportError struct {
	Number uint64 // block number; if the block does not decode, the number expected next
	Field  string // header field, "transaction 3", "uncle 0: gas limit" …
	Got    string // the block's value, or the reason for the failure
	Want   string // the value required
	Err    error  // the cause, or nil
}

func (e *ImportError) Error() string {
	return fmt.Sprintf("block %d: %s: got %s, want %s", e.Number, e.Field, e.Got, e.Want)
}

// Unwrap returns the cause, or nil.
func (e *ImportError) Unwrap() error { return e.Err }

func refused(number uint64, field string, got, want any) *ImportError {
	return &ImportError{Number: number, Field: field, Got: fmt.Sprint(got), Want: fmt.Sprint(want)}
}

// Import reads blocks in RLP, one after another as `geth export` writes them, executes and checks each, and returns the
// chain with them. It skips blocks that the chain already has, such as its own genesis. The error is an *ImportError.
func (c *Chain) Import(r io.Reader) (*Chain, error) {
	in := bufio.NewReader(r)
	for stream := rlp.NewStream(in, maxBlockBytes); ; stream.Reset(in, maxBlockBytes) {
		var b types.Block
		err := stream.Decode(&b)
		if errors.Is(err, io.EOF) {
			return c, nil
		}
		if err != nil {
			return nil, &ImportError{Number: c.Head().Number() + 1, Field: "rlp", Got: err.Error(), Want: "a block", Err: err}
		}
		if c, err = c.ImportBlock(&b); err != nil {
			return nil, err
		}
	}
}

// importable returns the error with which an OP-stack chain rejects block number, or nil under Ethereum's rules.
func (c *Chain) importable(number uint64) error {
	if c.Optimism == nil {
		return nil
	}
	return refused(number, "rules", "the rules of optimism", "those of ethereum: blocks with deposits cannot be imported")
}

// ImportBlock executes and checks one block on its parent, which need not be the head, and returns the chain with it.
// Of two branches the one with more total difficulty is canonical; after the merge it is the one imported last. The
// blocks of the other are kept as orphans. The error is an *ImportError, or a *PrunedError if the State of the parent
// is pruned.
func (c *Chain) ImportBlock(b *types.Block) (*Chain, error) {
	if known, _ := c.BlockByHash(b.Hash()); known != nil {
		return c, nil
	}
	if err := c.importable(b.NumberU64()); err != nil {
		return nil, err
	}
	if err := c.checkRanges(b); err != nil {
		return nil, err
	}
	parent, _ := c.BlockByHash(b.ParentHash())
	if parent == nil {
		return nil, refused(b.NumberU64(), "parent hash", b.ParentHash(), "a block of this chain")
	}
	on := c.branchTo(parent)
	next, err := on.execute(b)
	if err != nil {
		return nil, err
	}
	if on == c || outweighs(next.Head(), c.Head()) {
		return next, nil
	}
	return c.withOrphan(next.Head(), next.state), nil
}

// execute executes and checks a block on the head and returns the chain with it.
func (c *Chain) execute(b *types.Block) (*Chain, error) {
	header := b.Header()
	if err := c.verifyHeader(header, c.Head().Header()); err != nil {
		return nil, err
	}
	if err := c.verifyUncles(b); err != nil {
		return nil, err
	}
	if err := c.verifyBody(b); err != nil {
		return nil, err
	}
	d, err := c.open(header, b.Uncles(), b.Withdrawals(), Env{})
	if err != nil {
		return nil, err
	}
	signer := types.MakeSigner(c.config, header.Number, header.Time)
	for i, tx := range b.Transactions() {
		from, err := types.Sender(signer, tx)
		if err == nil {
			d, _, err = d.Add(tx, from)
		}
		if err != nil {
			return nil, &ImportError{
				Number: header.Number.Uint64(), Field: fmt.Sprintf("transaction %d", i),
				Got: err.Error(), Want: "a valid transaction", Err: err,
			}
		}
	}
	f, err := d.finish()
	if err != nil {
		return nil, &ImportError{
			Number: header.Number.Uint64(), Field: "system calls", Got: err.Error(), Want: "success", Err: err,
		}
	}
	if err := compare(header, f.header); err != nil {
		return nil, err
	}
	f.header = header
	return c.append(newBlock(d, f, c.Head()), f.state, d.Transactions()), nil
}

// Export writes the canonical blocks from 1 to the head in RLP, one after another. Import and `geth import` read this
// format.
func (c *Chain) Export(w io.Writer) error {
	out := bufio.NewWriter(w)
	for _, b := range c.blocks.items[1:] {
		if err := rlp.Encode(out, b); err != nil {
			return fmt.Errorf("exporting block %d: %w", b.Number(), err)
		}
	}
	return out.Flush()
}

// ExportGenesis writes the complete genesis as JSON in geth's format. `geth init` reads it.
func (c *Chain) ExportGenesis(w io.Writer) error {
	if c.genesis == nil {
		return fmt.Errorf("the chain is a fork of another at block %d: it has no genesis of its own", c.base)
	}
	// geth requires these fields, which Go code may leave at their defaults.
	g, header := *c.genesis, c.blocks.items[0].Header()
	g.GasLimit, g.Difficulty = header.GasLimit, new(big.Int).Set(header.Difficulty)
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(g)
}
