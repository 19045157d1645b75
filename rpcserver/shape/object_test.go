package shape

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

// Ensure an object has its members in order, each in the form of its kind, behind what the buffer held.
func TestObjectMembers(t *testing.T) {
	t.Parallel()
	require.Equal(t, "{}", string(new(Begin(nil)).End()))
	o := Begin([]byte("["))
	o.Null("none")
	o.bool("yes", true)
	o.bool("no", false)
	o.Text("text", "a\"b\n")
	o.Bytes("empty", nil)
	o.Bytes("bytes", []byte{0, 0xab})
	o.Int("int", -7)
	o.Quantity("zero", 0)
	o.Quantity("most", 1<<64-1)
	o.Big("nil", nil)
	o.Big("big", new(big.Int).Lsh(common.Big1, 68))
	o.Big("nought", new(big.Int))
	for i, n := range []int{0, 1, 3} {
		o.Array("array"+string(rune('0'+i)), n, func(dst []byte, i int) []byte { return append(dst, byte('0'+i)) })
	}
	o.address("nobody", nil)
	o.address("somebody", &common.Address{19: 0x10})
	o.word("word", uint256.NewInt(0x10))
	whole := o.End()
	require.Equal(t, `[{"none":null,"yes":true,"no":false,"text":"a\"b\n","empty":"0x","bytes":"0x00ab","int":-7,"zero":"0x0","most":"0xffffffffffffffff",`+
		`"nil":null,"big":"0x100000000000000000","nought":"0x0","array0":[],"array1":[0],"array2":[0,1,2],`+
		`"nobody":null,"somebody":"0x0000000000000000000000000000000000000010",`+
		`"word":"0x0000000000000000000000000000000000000000000000000000000000000010"}`, string(whole))
	more := Reopen([]byte(`{"a":1}`))
	more.Int("b", 2)
	require.Equal(t, `{"a":1,"b":2}`, string(more.End()))
	more = Reopen([]byte(`{}`))
	more.Int("b", 2)
	require.Equal(t, `{"b":2}`, string(more.End()))
}

// Ensure results of the kinds that are encoded without reflection are as encoding/json has them, and what cannot be
// encoded is an error.
func TestAppendValue(t *testing.T) {
	t.Parallel()
	a := common.Hash{31: 1}
	for want, value := range map[string]any{
		`"0x0"`: hexutil.Uint64(0), `"0x1f"`: hexutil.Uint64(31), `"0x"`: hexutil.Bytes{}, `"0x0a"`: hexutil.Bytes{10},
		`"` + a.Hex() + `"`: a, `{"a":[1]}`: map[string]any{"a": []int{1}}, `null`: nil, `true`: true,
	} {
		text, err := AppendValue([]byte("x"), value)
		require.NoError(t, err)
		require.Equal(t, "x"+want, string(text))
	}
	_, err := AppendValue(nil, func() {})
	require.Error(t, err)
}

// Ensure hashes are never null, also where there are none.
func TestHashes(t *testing.T) {
	t.Parallel()
	tx := types.NewTx(&types.LegacyTx{Nonce: 7})
	require.Equal(t, []common.Hash{tx.Hash()}, HashesOf(evmstate.ListOf(types.Transactions{tx})))
	require.Equal(t, []common.Hash{}, HashesOf(nil))
	require.Equal(t, []common.Hash{}, OrEmpty(nil))
}
