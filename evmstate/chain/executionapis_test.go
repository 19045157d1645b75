package chain_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// TestExecutionAPIsChain imports the chain of ethereum/execution-apis: proof of work with uncles, the merge, every fork
// from Homestead to BPO2 and every transaction type. It also exports it again, byte for byte.
func TestExecutionAPIsChain(t *testing.T) {
	t.Parallel()
	dir := conformanceDir(t, "execution-apis")
	raw, err := os.ReadFile(filepath.Join(dir, "genesis.json"))
	require.NoError(t, err)
	genesis := new(chain.Genesis)
	require.NoError(t, json.Unmarshal(raw, genesis))
	raw, err = os.ReadFile(filepath.Join(dir, "headfcu.json"))
	require.NoError(t, err)
	var update struct {
		Params []struct {
			Head common.Hash `json:"headBlockHash"`
		} `json:"params"`
	}
	_ = json.Unmarshal(raw, &update) // the second parameter is no object
	blocks, err := os.ReadFile(filepath.Join(dir, "chain.rlp"))
	require.NoError(t, err)

	c, err := chain.New(genesis, chain.Options{})
	require.NoError(t, err)
	c, err = c.Import(bytes.NewReader(blocks))
	require.NoError(t, err)
	require.Equal(t, uint64(54), c.Head().Number())
	require.Equal(t, update.Params[0].Head, c.Head().Hash(), hexutil.Encode(raw))

	var out bytes.Buffer
	require.NoError(t, c.Export(&out))
	require.True(t, bytes.Equal(blocks, out.Bytes()), "the export differs from the import")
}
