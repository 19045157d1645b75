package preconf_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
)

// Ensure the things of each kind that a network holds take only so many bytes together, and that one more is refused
// with the kind and the limit.
func TestHeldThingsCountBytes(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	w := newTimeline(t, preconf.Config{})
	half := make([]common.Hash, control.MaxHeld/32/2)
	values := make([]*big.Int, control.MaxHeld/64/2+1)
	for i := range values {
		values[i] = ether
	}
	kinds := control.Quantities()
	for kind, hold := range map[string]func(n int) error{
		"holds": func(int) error { return w.Hold(control.Hold{Hashes: half}) },
		"flashblock faults": func(int) error {
			_, err := w.FlashblockFault(control.FlashblockFault{Kind: control.OmitTransactions, Hashes: half})
			return err
		},
		"courses of the weather": func(n int) error {
			return w.Set(preconf.Weather(control.Weather{Of: kinds[n], Shape: control.List, Values: values}))
		},
		"notes": func(n int) error { return w.Set(preconf.Note(fmt.Sprint(n), make([]byte, control.MaxHeld/2-1))) },
		"filters": func(int) error {
			_, err := w.Filters().Add(filter.Filter{Logs: chain.LogFilter{Topics: [][]common.Hash{half}}})
			return err
		},
	} {
		var err error
		n := 0
		for ; err == nil && n < 3; n++ {
			err = hold(n)
		}
		var budget *control.BudgetError
		require.ErrorAs(t, err, &budget, kind)
		require.Equal(t, kind, budget.Kind)
		require.Greater(t, n, 1, "%s: one has room", kind)
	}
}
