package api

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"
)

func TestOneOrMany(t *testing.T) {
	t.Parallel()
	a, b := common.Hash{31: 0xaa}, common.Hash{31: 0xbb}
	var topics []OneOrMany[common.Hash]
	text := fmt.Sprintf(`[null,%q,[],[%q,%q]]`, a.Hex(), a.Hex(), b.Hex())
	require.NoError(t, json.Unmarshal([]byte(text), &topics))
	require.Len(t, topics, 4)
	require.Empty(t, topics[0])
	require.Equal(t, OneOrMany[common.Hash]{a}, topics[1])
	require.Empty(t, topics[2])
	require.Equal(t, OneOrMany[common.Hash]{a, b}, topics[3])
	for _, bad := range []string{`["0xaa"]`, `[[null]]`, `[5]`, `[{}]`, `[[["0xaa"]]]`} {
		require.Error(t, json.Unmarshal([]byte(bad), &topics), bad)
	}
}
