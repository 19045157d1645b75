package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"
)

// Ensure a block parameter is read in each of its forms, and the error names what is wrong with any other.
func TestBlockTags(t *testing.T) {
	t.Parallel()
	hash := common.Hash{0xab, 31: 1}
	for text, want := range map[string]BlockTag{
		`"latest"`: {}, `"unsafe"`: {}, `"pending"`: {Kind: TagPending}, `"safe"`: {Kind: TagSafe}, `"finalized"`: {Kind: TagFinalized}, `"earliest"`: {Kind: TagEarliest},
		`"0x0"`: {Kind: TagNumber}, `"0x1f"`: {Kind: TagNumber, Number: 31}, `"0x7fffffffffffffff"`: {Kind: TagNumber, Number: 1<<63 - 1},
		`"` + hash.Hex() + `"`:                                       {Kind: TagHash, Hash: hash},
		`{"blockNumber":"0x2"}`:                                      {Kind: TagNumber, Number: 2},
		`{"blockNumber":"safe"}`:                                     {Kind: TagSafe},
		`{"blockHash":"` + hash.Hex() + `"}`:                         {Kind: TagHash, Hash: hash},
		`{"blockHash":"` + hash.Hex() + `","requireCanonical":true}`: {Kind: TagHash, Hash: hash, RequireCanonical: true},
	} {
		tag := BlockTag{Kind: TagHash, Hash: common.Hash{7}, Number: 7, RequireCanonical: true}
		require.NoError(t, tag.UnmarshalJSON([]byte(text)), text)
		require.Equal(t, want, tag, text)
		require.Equal(t, want, tag.Tag())
	}
	for text, problem := range map[string]string{
		`7`: "not a string or an object", `null`: "not a string or an object", `"0x8000000000000000"`: "block number 0x8000000000000000 is above 2^63-1",
		`"newest"`: "hex string without 0x prefix", `"0x01"`: "leading zero", `"0x"`: `hex string "0x"`, `""`: "empty hex string", `"LATEST"`: "without 0x",
		`{}`: "neither blockNumber nor blockHash given", `{"blockNumber":"0x1","blockHash":"` + hash.Hex() + `"}`: "both blockNumber and blockHash given",
		`{"blockNumber":1}`: "not a string", `{"blockNumber":"` + hash.Hex() + `"}`: "a block hash is not accepted here", `{"blockHash":"0x1"}`: "hex",
		`"` + strings.Replace(hash.Hex(), "ab", "zz", 1) + `"`: "invalid hex",
	} {
		require.ErrorContains(t, new(BlockTag).UnmarshalJSON([]byte(text)), problem, text)
	}
	var number NumberTag
	require.NoError(t, number.UnmarshalJSON([]byte(`"0x3"`)))
	require.Equal(t, BlockTag{Kind: TagNumber, Number: 3}, number.BlockTag)
	for text, problem := range map[string]string{`{"blockNumber":"0x1"}`: "not a string", `1`: "not a string", `"` + hash.Hex() + `"`: "a block hash is not accepted here", `"x"`: "hex"} {
		require.ErrorContains(t, number.UnmarshalJSON([]byte(text)), problem, text)
	}
	for want, tag := range map[string]BlockTag{
		"latest": {}, "pending": {Kind: TagPending}, "safe": {Kind: TagSafe}, "finalized": {Kind: TagFinalized}, "earliest": {Kind: TagEarliest},
		"0x1f": {Kind: TagNumber, Number: 31}, hash.Hex(): {Kind: TagHash, Hash: hash},
	} {
		require.Equal(t, want, tag.String())
	}
	var none *BlockTag
	require.Equal(t, BlockTag{}, none.OrLatest())
	require.Equal(t, BlockTag{Kind: TagSafe}, (&BlockTag{Kind: TagSafe}).OrLatest())
	var by BlockHash
	require.NoError(t, by.UnmarshalJSON([]byte(`"`+hash.Hex()+`"`)))
	require.Equal(t, BlockTag{Kind: TagHash, Hash: hash}, by.Tag())
	require.Error(t, by.UnmarshalJSON([]byte(`"0x1"`)))
}

// Ensure a whole number is read as clients write it, with a sign and up to a thousand digits.
func TestIntegers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"0": 0, "7": 7, "007": 7, "0x10": 16, "0x0010": 16, "-7": -7, "-0x10": -16, "0xAb": 171} {
		number, ok := Integer(text)
		require.True(t, ok, text)
		require.Equal(t, want, number.Int64(), text)
	}
	for _, text := range []string{"", "-", "0x", "--7", "+7", "-+7", "0x-7", "0x+7", "7.0", "1e3", "ten", " 7", strings.Repeat("1", 1001), "0x" + strings.Repeat("0", 1001)} {
		_, ok := Integer(text)
		require.False(t, ok, text)
	}
	longest, ok := Integer(strings.Repeat("9", 1000))
	require.True(t, ok)
	require.Len(t, longest.String(), 1000)
	_, ok = Integer("0x" + strings.Repeat("0", 1000))
	require.True(t, ok)

	for text, want := range map[string]Number{`7`: 7, `"7"`: 7, `"0x07"`: 7, `18446744073709551615`: 1<<64 - 1, `0`: 0} {
		var number Number
		require.NoError(t, number.UnmarshalJSON([]byte(text)), text)
		require.Equal(t, want, number)
	}
	for text, problem := range map[string]string{
		`-1`: "not a whole number from 0 to 2^64-1", `18446744073709551616`: "from 0 to 2^64-1", `1.5`: "not a whole number", `true`: "not a whole number", `"x"`: "not a whole number",
	} {
		var number Number
		require.ErrorContains(t, number.UnmarshalJSON([]byte(text)), problem, text)
	}
	_, err := WholeNumber([]byte(`"0x10"`))
	require.NoError(t, err)
}

// Ensure overrides are those of the client, whichever names it gives them, and contradictions are refused by name.
func TestOverrides(t *testing.T) {
	t.Parallel()
	spec, geth := new(Behaviour), &Behaviour{StandardBlockOverrides: true, Forms: Forms{StandardOverrides: true}}
	decode := func(text string) *BlockOverrides {
		o := new(BlockOverrides)
		require.NoError(t, json.Unmarshal([]byte(text), o), text)
		return o
	}
	one, two := "0x"+strings.Repeat("0", 63)+"1", "0x"+strings.Repeat("0", 63)+"2"
	who := "0x" + strings.Repeat("0", 39) + "3"
	second := `{"blockNumber":"0x1","timestamp":"0x2","coinbase":"` + who + `","random":"` + one + `","baseFee":"0x4","blockHash":{"5":"` + two + `","0x6":"` + one + `"}}`
	first := `{"number":"0x1","time":"0x2","feeRecipient":"` + who + `","prevRandao":"` + one + `","baseFeePerGas":"0x4","gasLimit":"0x7","blobBaseFee":"0x8","difficulty":"0x9","beaconRoot":"` + two + `","withdrawals":[]}`
	own, err := decode(second).Overrides(spec)
	require.NoError(t, err)
	require.Equal(t, []int64{1, 4}, []int64{own.Number.Int64(), own.BaseFee.Int64()})
	require.EqualValues(t, 2, *own.Time)
	require.Equal(t, []common.Hash{common.HexToHash(one)}, []common.Hash{*own.PrevRandao})
	require.Equal(t, common.HexToAddress(who), *own.FeeRecipient)
	require.Equal(t, map[uint64]common.Hash{5: common.HexToHash(two), 6: common.HexToHash(one)}, own.BlockHash)
	require.Empty(t, decode(second).Refused(spec))
	is, err := decode(second).Overrides(geth)
	require.NoError(t, err)
	require.Nil(t, is.Number)
	require.Nil(t, is.BlockHash)
	for name, text := range map[string]string{
		"blockNumber": `{"blockNumber":"0x1"}`, "timestamp": `{"timestamp":"0x1"}`, "coinbase": `{"coinbase":"` + who + `"}`, "random": `{"random":"` + one + `"}`,
		"baseFee": `{"baseFee":"0x1"}`, "blockHash": `{"blockHash":{}}`, "": first,
	} {
		require.Equal(t, name, decode(text).Refused(geth))
	}
	is, err = decode(first).Overrides(geth)
	require.NoError(t, err)
	require.Equal(t, []int64{1, 4, 8, 9}, []int64{is.Number.Int64(), is.BaseFee.Int64(), is.BlobBaseFee.Int64(), is.Difficulty.Int64()})
	require.Equal(t, []uint64{2, 7}, []uint64{*is.Time, *is.GasLimit})
	require.Equal(t, common.HexToHash(two), *is.BeaconRoot)
	require.NotNil(t, is.Withdrawals)
	for names, text := range map[string]string{
		"number and blockNumber": `{"number":"0x1","blockNumber":"0x2"}`, "time and timestamp": `{"time":"0x1","timestamp":"0x2"}`,
		"feeRecipient and coinbase": `{"feeRecipient":"` + who + `","coinbase":"0x0000000000000000000000000000000000000000"}`,
		"prevRandao and random":     `{"prevRandao":"` + one + `","random":"` + two + `"}`, "baseFeePerGas and baseFee": `{"baseFeePerGas":"0x1","baseFee":"0x2"}`,
	} {
		_, err := decode(text).Overrides(spec)
		require.EqualError(t, err, "block overrides "+names+" are one and the same, but not equal")
		_, _, err = Overrides(spec, nil, decode(text))
		require.Error(t, err)
	}
	_, err = decode(`{"number":"0x1","blockNumber":"0x1"}`).Overrides(spec)
	require.NoError(t, err)
	is, err = (*BlockOverrides)(nil).Overrides(spec)
	require.NoError(t, err)
	require.Nil(t, is)
	require.Empty(t, (*BlockOverrides)(nil).Refused(geth))
	require.Error(t, json.Unmarshal([]byte(`{"blockHash":{"x":"`+one+`"}}`), new(BlockOverrides)))

	slots := func(text string) StateOverrides {
		o := StateOverrides{}
		require.NoError(t, json.Unmarshal([]byte(`{"`+who+`":`+text+`}`), &o))
		return o
	}
	full := slots(`{"nonce":"0x1","code":"0x02","balance":"0x3","state":{"` + one + `":"` + two + `"},"stateDiff":{"` + two + `":"` + one + `"},"movePrecompileToAddress":"` + who + `"}`)
	accounts, err := full.Overrides(new(Behaviour))
	require.NoError(t, err)
	account := accounts[common.HexToAddress(who)]
	require.EqualValues(t, 1, *account.Nonce)
	require.Equal(t, []byte{2}, *account.Code)
	require.EqualValues(t, 3, account.Balance.Uint64())
	require.Equal(t, map[common.Hash]common.Hash{common.HexToHash(one): common.HexToHash(two)}, account.State)
	require.Equal(t, map[common.Hash]common.Hash{common.HexToHash(two): common.HexToHash(one)}, account.StateDiff)
	require.Equal(t, common.HexToAddress(who), *account.MovePrecompileTo)
	storage := slots(`{"storage":{"` + one + `":"` + two + `"}}`)
	accounts, err = storage.Overrides(new(Behaviour))
	require.NoError(t, err)
	require.Len(t, accounts[common.HexToAddress(who)].StateDiff, 1)
	require.Equal(t, []string{"", "storage"}, []string{storage.Refused(spec), storage.Refused(geth)})
	require.Empty(t, full.Refused(geth))
	accounts, err = storage.Overrides(&Behaviour{Forms: Forms{StandardOverrides: true}})
	require.NoError(t, err)
	require.Nil(t, accounts[common.HexToAddress(who)].StateDiff)
	both := slots(`{"storage":{"` + one + `":"` + two + `"},"stateDiff":{"` + one + `":"` + one + `"}}`)
	_, err = both.Overrides(new(Behaviour))
	require.ErrorContains(t, err, "storage and stateDiff are one and the same, but not equal")
	_, _, err = Overrides(spec, &both, nil)
	require.Error(t, err)
	for _, none := range []*StateOverrides{nil, {}} {
		accounts, err = none.Overrides(new(Behaviour))
		require.NoError(t, err)
		require.Nil(t, accounts)
	}
}

// Ensure a list may be written as its one element, and null is none.
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
