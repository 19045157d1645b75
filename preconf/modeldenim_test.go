package preconf_test

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
)

// TestDenimModel is TestModel under Denim's rules, each run twice: both end in the same bytes.
func TestDenimModel(t *testing.T) {
	t.Parallel()
	const steps = 400
	for seed := range laboratory.Budget(t, uint64(2), 80) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			var ends []string
			for range 2 {
				random := rand.New(rand.NewPCG(seed, 1))
				r := startModelRun(t, random.IntN, denimModel, newDenim(t, preconf.Config{Behaviour: preconf.Behaviour{Lags: preconf.Lags{FinalizedLag: new(uint64(modelFinalizedLag))}}}))
				for range steps {
					r.step()
				}
				end := sha256.New()
				for b := range r.timeline.Moment().Latest().Number() {
					record, err := r.timeline.Moment().Chain().BlockByNumber(b + 1).Record()
					require.NoError(t, err)
					end.Write(record)
				}
				ends = append(ends, string(end.Sum(nil)))
			}
			require.Equal(t, ends[0], ends[1])
		})
	}
}
