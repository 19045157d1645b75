package shape

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/types/bal"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

// oldHeader has no member that came with a later hard fork.
func oldHeader() *types.Header {
	return &types.Header{
		ParentHash: common.Hash{31: 0x10}, UncleHash: common.Hash{31: 0x11}, Coinbase: common.Address{19: 0x12}, Root: common.Hash{31: 0x13},
		TxHash: common.Hash{31: 0x14}, ReceiptHash: common.Hash{31: 0x15}, Bloom: types.Bloom{255: 0x16}, Difficulty: big.NewInt(0x17),
		Number: big.NewInt(0x18), GasLimit: 0x19, GasUsed: 0x1a, Time: 0x1b, Extra: []byte{0x1c}, MixDigest: common.Hash{31: 0x1d}, Nonce: types.BlockNonce{7: 0x1e},
	}
}

// newHeader has all members.
func newHeader() *types.Header {
	h := oldHeader()
	h.BaseFee, h.WithdrawalsHash, h.BlobGasUsed, h.ExcessBlobGas = big.NewInt(0x20), &common.Hash{31: 0x21}, new(uint64(0x22)), new(uint64(0x23))
	h.ParentBeaconRoot, h.RequestsHash, h.BlockAccessListHash, h.SlotNumber = &common.Hash{31: 0x24}, &common.Hash{31: 0x25}, &common.Hash{31: 0x26}, new(uint64(0x27))
	return h
}

var bloom = "0x" + strings.Repeat("0", 510) + "16"

// oldMembers are the members of oldHeader with the hash 0x…99.
func oldMembers() string {
	return `"difficulty":"0x17","extraData":"0x1c","gasLimit":"0x19","gasUsed":"0x1a","hash":"` + word("99") + `","logsBloom":"` + bloom +
		`","miner":"` + account("12") + `","mixHash":"` + word("1d") + `","nonce":"0x000000000000001e","number":"0x18","parentHash":"` + word("10") +
		`","receiptsRoot":"` + word("15") + `","sha3Uncles":"` + word("11") + `","stateRoot":"` + word("13") + `","timestamp":"0x1b","transactionsRoot":"` + word("14") + `"`
}

// newMembers are the members of newHeader with the hash 0x…99 and a time in milliseconds.
func newMembers() string {
	return `"baseFeePerGas":"0x20","blobGasUsed":"0x22","blockAccessListHash":"` + word("26") +
		`","difficulty":"0x17","excessBlobGas":"0x23","extraData":"0x1c","gasLimit":"0x19","gasUsed":"0x1a","hash":"` + word("99") + `","logsBloom":"` + bloom +
		`","miner":"` + account("12") + `","mixHash":"` + word("1d") + `","nonce":"0x000000000000001e","number":"0x18","parentBeaconBlockRoot":"` + word("24") + `","parentHash":"` + word("10") +
		`","receiptsRoot":"` + word("15") + `","requestsHash":"` + word("25") + `","sha3Uncles":"` + word("11") + `","slotNumber":"0x27","stateRoot":"` + word("13") +
		`","timestamp":"0x1b","timestampMs":"0x69","transactionsRoot":"` + word("14") + `","withdrawalsRoot":"` + word("21") + `"`
}

// Ensure a header has the members of its hard fork and no others, each from its own field.
func TestHeaders(t *testing.T) {
	t.Parallel()
	hash := common.Hash{31: 0x99}
	require.Equal(t, "{"+oldMembers()+"}", string(Header{header: oldHeader(), hash: hash}.AppendJSON(nil)))
	require.Equal(t, "{"+newMembers()+"}", string(Header{header: newHeader(), hash: hash, time: BlockTime{0x69, true}}.AppendJSON(nil)))
	own := newHeader().Hash()
	var back types.Header
	require.NoError(t, json.Unmarshal(Header{header: newHeader(), hash: own}.AppendJSON(nil), &back))
	require.Equal(t, own, back.Hash(), "as go-ethereum reads it")

	uncle := UncleOf(oldHeader())
	require.Equal(t, strings.Replace("{"+oldMembers(), word("99"), oldHeader().Hash().Hex(), 1)+
		fmt.Sprintf(`,"size":"%#x","uncles":[]}`, types.NewBlockWithHeader(oldHeader()).Size()), string(uncle.AppendJSON(nil)))
}

// Ensure a block has its transactions in the form asked for, and withdrawals, uncles, size and total difficulty where
// it has them.
func TestBlocks(t *testing.T) {
	t.Parallel()
	one, two := types.NewTx(&types.LegacyTx{Nonce: 1, Value: new(big.Int), GasPrice: big.NewInt(7)}), types.NewTx(&types.LegacyTx{Nonce: 2, Value: new(big.Int), GasPrice: big.NewInt(7)})
	senders := []common.Address{{19: 0xa1}, {19: 0xa2}}
	sealed := Block{
		Header: Header{header: newHeader(), hash: common.Hash{31: 0x99}, time: BlockTime{0x69, true}}, size: 0x2a, transactions: evmstate.ListOf(types.Transactions{one, two}),
		sender: func(i int) common.Address { return senders[i] }, uncles: []common.Hash{{31: 0x41}, {31: 0x42}},
		withdrawals: types.Withdrawals{{Index: 1, Validator: 2, Address: common.Address{19: 3}, Amount: 4}, {}},
	}
	rest := `"uncles":["` + word("41") + `","` + word("42") + `"],"withdrawals":[{"index":"0x1","validatorIndex":"0x2","address":"` + account("3") +
		`","amount":"0x4"},{"index":"0x0","validatorIndex":"0x0","address":"` + account("0") + `","amount":"0x0"}]}`
	hashes := `"transactions":["` + one.Hash().Hex() + `","` + two.Hash().Hex() + `"],`
	require.Equal(t, "{"+newMembers()+`,"size":"0x2a",`+hashes+rest, string(sealed.AppendJSON(nil)))
	require.Equal(t, "{"+newMembers()+`,"size":"0x2a","totalDifficulty":"0x0",`+hashes+rest, string(sealed.WithTotalDifficulty().AppendJSON(nil)))
	require.Equal(t, sealed.AppendJSON(nil), sealed.Unsealed().AppendJSON(nil), "it is sealed")
	full := sealed
	full.full = true
	objects := `"transactions":[` + string(Transaction{one, senders[0], includedIn(sealed.Header, 0)}.AppendJSON(nil)) + "," + string(Transaction{two, senders[1], includedIn(sealed.Header, 1)}.AppendJSON(nil)) + "],"
	require.Equal(t, "{"+newMembers()+`,"size":"0x2a",`+objects+rest, string(full.AppendJSON(nil)))

	empty := Block{Header: Header{header: oldHeader(), hash: common.Hash{31: 0x99}}}
	require.Equal(t, "{"+oldMembers()+`,"transactions":[],"uncles":[]}`, string(empty.AppendJSON(nil)))
	empty.withdrawals = types.Withdrawals{}
	require.Equal(t, "{"+oldMembers()+`,"transactions":[],"uncles":[],"withdrawals":[]}`, string(empty.AppendJSON(nil)))
}

// Ensure a pending block that has a hash shows, on demand, null where go-ethereum's has nothing yet, and that one
// without a hash is as it is.
func TestUnsealedBlocks(t *testing.T) {
	t.Parallel()
	pending := Block{Header: Header{header: newHeader(), hash: common.Hash{31: 0x99}}}
	var members map[string]any
	require.NoError(t, json.Unmarshal(pending.Unsealed().AppendJSON(nil), &members))
	for _, name := range []string{"hash", "miner", "nonce"} {
		require.Contains(t, members, name)
		require.Nil(t, members[name], name)
	}
	require.NotContains(t, members, "parentBeaconBlockRoot")
	pending.hash = common.Hash{}
	require.Equal(t, string(pending.AppendJSON(nil)), string(pending.Unsealed().AppendJSON(nil)))
	require.Contains(t, string(pending.Unsealed().AppendJSON(nil)), `"parentBeaconBlockRoot":"`+word("24"))
}

// Ensure a block access list has each change with its index, in the form of execution-apis.
func TestBlockAccessLists(t *testing.T) {
	t.Parallel()
	var list bal.BlockAccessList
	require.NoError(t, json.Unmarshal([]byte(`[{"address":"`+account("1")+`","storageChanges":[],"storageReads":[],"balanceChanges":[],"nonceChanges":[],"codeChanges":[]},
		{"address":"`+account("2")+`","storageChanges":[{"slot":"0x3","slotChanges":[{"blockAccessIndex":"0x4","postValue":"0x5"},{"blockAccessIndex":"0x6","postValue":"0x0"}]}],"storageReads":["0x7"],
		"balanceChanges":[{"blockAccessIndex":"0x8","postBalance":"0x9"}],"nonceChanges":[{"blockAccessIndex":"0xa","postNonce":"0xb"}],"codeChanges":[{"blockAccessIndex":"0xc","newCode":"0x0d"}]}]`), &list))
	require.Equal(t, `[{"address":"`+account("1")+`","storageChanges":[],"storageReads":[],"balanceChanges":[],"nonceChanges":[],"codeChanges":[]},`+
		`{"address":"`+account("2")+`","storageChanges":[{"key":"`+word("3")+`","changes":[{"index":"0x4","value":"`+word("5")+`"},{"index":"0x6","value":"`+word("0")+`"}]}],"storageReads":["`+word("7")+`"],`+
		`"balanceChanges":[{"index":"0x8","value":"0x9"}],"nonceChanges":[{"index":"0xa","value":"0xb"}],"codeChanges":[{"index":"0xc","code":"0x0d"}]}]`, string(BlockAccessList{&list}.AppendJSON(nil)))
	require.Equal(t, "[]", string(BlockAccessList{new(bal.BlockAccessList)}.AppendJSON(nil)))
}
