package command_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure fakenode_setL1 sets each member that it is asked for to the most that the member holds, and leaves the others
// as they were, but for the number and the timestamp, which grow.
func TestSetL1(t *testing.T) {
	t.Parallel()
	client := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.BaseFlashblocks}).Client().Client()
	set := func(members map[string]any) (l1 map[string]any) {
		require.NoError(t, client.CallContext(t.Context(), &l1, "fakenode_setL1", members))
		return l1
	}
	for member, most := range map[string]struct {
		asked  any
		answer string
	}{
		"baseFee":              {"0x5", "0x5"},
		"blobBaseFee":          {"0x6", "0x6"},
		"baseFeeScalar":        {math.MaxUint32, "0xffffffff"},
		"blobBaseFeeScalar":    {math.MaxUint32, "0xffffffff"},
		"operatorFeeScalar":    {math.MaxUint32, "0xffffffff"},
		"operatorFeeConstant":  {uint64(math.MaxUint64), "0xffffffffffffffff"},
		"daFootprintGasScalar": {math.MaxUint16, "0xffff"},
		"batcherHash":          {common.Hash{0xba}, common.Hash{0xba}.Hex()},
	} {
		before := set(map[string]any{})
		after := set(map[string]any{member: most.asked})
		require.Equal(t, most.answer, after[member], member)
		for name, value := range before {
			changes := name == member || slices.Contains([]string{"number", "timestamp", "hash"}, name)
			require.Equal(t, changes, value != after[name], "%s, when %s is set", name, member)
		}
	}
}
