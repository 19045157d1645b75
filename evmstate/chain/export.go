package chain

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/big"

	"github.com/ethereum/go-ethereum/rlp"
)

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
