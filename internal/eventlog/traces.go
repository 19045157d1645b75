package eventlog

import (
	"context"
	"fmt"

	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/internal/profile"
	"github.com/fakenode/fakenode/preconf"
)

// traces prints the tree of calls of transaction i of a block. It executes it again.
func (w *Writer) traces(ctx context.Context, v *preconf.View, i int) {
	title := fmt.Sprintf("transaction %s in block %d", v.Transaction(i).Hash(), v.Number())
	if w.path != "" {
		title += " of " + w.path
	}
	title += "\n"
	tree, err := trace.TreeTransaction(ctx, v.Chain(), v, i)
	if err != nil {
		w.trace(title + "  no trace: " + err.Error() + "\n")
		return
	}
	w.trace(title + profile.New(tree, v.Chain(), w.known).Trace())
}
