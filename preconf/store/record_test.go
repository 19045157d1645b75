package store

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// Ensure a record is read as it was written, down to the least, and one with bytes missing says how many it has.
func TestRecordsReadBack(t *testing.T) {
	t.Parallel()
	whole := record{
		kind: kindBlock, parent: 1 << 40,
		state: stateRecord{of: 2, base: 3, whole: true, root: common.Hash{4}, changes: []byte{5, 6}}, block: []byte{7, 8, 9},
	}
	pruned := record{kind: kindState, state: stateRecord{of: 1, missing: true, changes: []byte{}}, block: []byte{}}
	for _, r := range []record{whole, pruned, {kind: kindForget, state: stateRecord{of: 1, changes: []byte{}}, block: []byte{}}} {
		is, err := decodeRecord(r.encode())
		require.NoError(t, err)
		require.Equal(t, r, is)
	}
	data := whole.encode()
	require.Len(t, data, 62+2+3)
	for size, text := range map[int]string{0: "it has 0 bytes", 61: "it has 61 bytes", 62: "it has 62 bytes and 2 of changes", 63: "it has 63 bytes and 2 of changes"} {
		_, err := decodeRecord(data[:size])
		require.EqualError(t, err, text)
	}
	is, err := decodeRecord(data[:64])
	require.NoError(t, err)
	require.Empty(t, is.block)
}

// Ensure a value with its checksum is not taken for another's, nor one that is changed in any byte.
func TestChecksumsOfValues(t *testing.T) {
	t.Parallel()
	name, value := []byte("key"), []byte{1, 2, 3}
	data := sealed(name, value)
	is, err := unsealed(name, data)
	require.NoError(t, err)
	require.Equal(t, value, is)
	_, err = unsealed([]byte("kez"), data)
	require.ErrorIs(t, err, errChecksum)
	for i := range data {
		changed := bytes.Clone(data)
		changed[i] ^= 1
		_, err := unsealed(name, changed)
		require.ErrorIs(t, err, errChecksum)
	}
	_, err = unsealed(name, data[:4])
	require.EqualError(t, err, "it has 4 bytes")
	_, err = unsealed(name, data[:5])
	require.ErrorIs(t, err, errChecksum)
}

// Ensure the log takes records that refer to earlier ones alone, and forgets no block twice.
func TestLogRefusesRecords(t *testing.T) {
	t.Parallel()
	config, err := chain.ForkConfig("paris", 1)
	require.NoError(t, err)
	first, err := chain.New(&chain.Genesis{Config: config, GasLimit: 30_000_000, BaseFee: big.NewInt(7), Difficulty: new(big.Int)}, chain.Options{})
	require.NoError(t, err)
	grown := func(c *chain.Chain, time uint64) *chain.Chain {
		d, err := c.NewDraft(chain.Env{Time: time})
		require.NoError(t, err)
		c, _, err = d.Seal()
		require.NoError(t, err)
		return c
	}
	second := grown(first, 1)
	third := grown(second, 2)
	n := &Network{log: newLog()}
	read := func(r record, block *chain.Block) error { return n.addRead(&decoded{record: r, sealed: block}) }
	require.NoError(t, read(record{kind: kindBlock, state: stateRecord{of: 1}}, second.Head()))
	later := "it refers to a later one"
	for _, r := range []record{
		{kind: kindBlock, parent: 2}, {kind: kindBlock, state: stateRecord{base: 2}}, {kind: kindBlock, state: stateRecord{of: 3}},
		{kind: kindState, state: stateRecord{of: 2}}, {kind: kindForget, state: stateRecord{of: 2}},
	} {
		require.EqualError(t, read(r, third.Head()), later)
		require.EqualValues(t, 1, n.last())
	}
	require.NoError(t, read(record{kind: kindBlock, parent: 1, state: stateRecord{of: 2, base: 1}}, third.Head()))
	require.NoError(t, read(record{kind: kindState, state: stateRecord{of: 1}}, nil))
	require.EqualValues(t, 3, n.newest(1))
	require.EqualValues(t, 2, n.newest(2))
	require.EqualValues(t, 2, n.find(third.Head().Hash()))
	require.NoError(t, read(record{kind: kindForget, state: stateRecord{of: 2}}, nil))
	require.Zero(t, n.find(third.Head().Hash()))
	require.EqualValues(t, 4, n.last())
	require.EqualError(t, read(record{kind: kindForget, state: stateRecord{of: 2}}, nil), "it forgets a block that is not there")
	require.EqualError(t, read(record{kind: kindForget, state: stateRecord{of: 3}}, nil), "it forgets a block that is not there")
	require.EqualError(t, read(record{kind: 4}, nil), "its kind is 4")
}
