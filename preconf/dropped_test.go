package preconf

import (
	"errors"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"
)

// The newest reasons are remembered, not all for ever.
func TestDropLogIsBounded(t *testing.T) {
	t.Parallel()
	log, reason := emptyDropLog, errors.New("because")
	hash := func(i int) common.Hash { return common.BigToHash(big.NewInt(int64(i))) }
	const n = 5 * maxDropped
	for i := range n {
		log = log.with(hash(i), reason)
	}
	require.NoError(t, log.reason(hash(0)))
	require.Equal(t, reason, log.reason(hash(n-maxDropped)))
	require.Equal(t, reason, log.reason(hash(n-1)))
	require.LessOrEqual(t, log.young.Len()+log.old.Len(), 2*maxDropped)
	require.NoError(t, log.without(hash(n-1)).reason(hash(n-1)))
}
