package shape

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Ensure a log has its members from their own fields, with the time of its block where there is one.
func TestLogs(t *testing.T) {
	t.Parallel()
	one := &types.Log{
		Address: recipient, Topics: []common.Hash{{31: 1}, {31: 2}}, Data: []byte{3}, BlockNumber: 4, TxHash: common.Hash{31: 5}, TxIndex: 6,
		BlockHash: common.Hash{31: 7}, BlockTimestamp: 8, Index: 9, Removed: true,
	}
	begins := `{"address":"` + account("70") + `","topics":["` + word("1") + `","` + word("2") + `"],"data":"0x03","blockNumber":"0x4","transactionHash":"` + word("5") +
		`","transactionIndex":"0x6","blockHash":"` + word("7") + `","blockTimestamp":"0x8"`
	plain, timed := begins+`,"logIndex":"0x9","removed":true}`, begins+`,"blockTimestampMs":"0x1f48","logIndex":"0x9","removed":true}`
	bare := `{"address":"` + account("0") + `","topics":[],"data":"0x","blockNumber":"0x0","transactionHash":"` + word("0") + `","transactionIndex":"0x0","blockHash":"` + word("0") +
		`","blockTimestamp":"0x0","logIndex":"0x0","removed":false}`
	require.Equal(t, "["+plain+","+bare+"]", string(SimulatedLogs([]*types.Log{one, {}}).AppendJSON(nil)))
	require.Equal(t, "x[]", string(SimulatedLogs(nil).AppendJSON([]byte("x"))))
	require.Equal(t, "["+timed+"]", string(logsAt(BlockTime{8008, true}, []*types.Log{one}).AppendJSON(nil)))
	require.Equal(t, "["+plain+"]", string(logsAt(BlockTime{8008, false}, []*types.Log{one}).AppendJSON(nil)))
	times := Logs{[]*types.Log{one, {}}, func(log *types.Log) (uint64, bool) { return 8008, log == one }}
	require.Equal(t, "["+timed+","+bare+"]", string(times.AppendJSON(nil)), "only the first one's block has a time")
}

// Ensure a receipt has the members of its transaction's type and of its profile, and no others.
func TestReceipts(t *testing.T) {
	t.Parallel()
	log := &types.Log{Address: recipient}
	receipt := &types.Receipt{
		Status: 1, CumulativeGasUsed: 0x30, GasUsed: 0x31, EffectiveGasPrice: big.NewInt(0x32), ContractAddress: common.Address{19: 0x33}, Bloom: types.Bloom{255: 0x16},
		BlobGasUsed: 0x34, BlobGasPrice: big.NewInt(0x35), Logs: []*types.Log{log},
	}
	legacy := types.NewTx(&types.LegacyTx{To: &recipient})
	creation := types.NewTx(&types.DynamicFeeTx{})
	blobs := types.NewTx(&types.BlobTx{To: recipient, BlobFeeCap: uint256.NewInt(1)})
	deposit := optimism.NewIncluded(&optimism.Deposit{From: sender, To: &recipient, Value: new(big.Int)}, 0x36)
	in := &inclusion{blockHash: common.Hash{31: 0x99}, number: 0x18, time: 0x1b, index: 3}
	place := `"blockHash":"` + word("99") + `","blockNumber":"0x18",`
	middle := `"cumulativeGasUsed":"0x30",`
	from := `"from":"` + account("f1") + `","gasUsed":"0x31","logs":[` + string(AppendLog(nil, log, BlockTime{})) + `],"logsBloom":"` + bloom + `",`
	end := func(hash common.Hash, to, kind string) string {
		return to + `,"transactionHash":"` + hash.Hex() + `","transactionIndex":"0x3","type":"` + kind + `"}`
	}
	to := `"to":"` + account("70") + `"`
	price := `"effectiveGasPrice":"0x32",`
	gas := &tracing.Gas{Execution: 0x37, State: 0x38}
	for name, c := range map[string]struct {
		receipt Receipt
		want    string
	}{
		"spec": {
			Receipt{receipt: receipt, tx: legacy, from: sender, in: in},
			"{" + place + `"blockTimestamp":"0x1b","contractAddress":null,` + middle + price + from + `"status":"0x1",` + end(legacy.Hash(), to, "0x0"),
		},
		"geth": {
			Receipt{receipt: receipt, tx: legacy, from: sender, in: in, members: StandardMembers, gas: gas},
			"{" + place + `"contractAddress":null,` + middle + price + from + `"status":"0x1",` + end(legacy.Hash(), to, "0x0"),
		},
		"creation": {
			Receipt{receipt: receipt, tx: creation, from: sender, in: in, members: StandardMembers},
			"{" + place + `"contractAddress":"` + account("33") + `",` + middle + price + from + `"status":"0x1",` + end(creation.Hash(), `"to":null`, "0x2"),
		},
		"two kinds of gas": {
			Receipt{receipt: receipt, tx: legacy, from: sender, in: in, gas: gas},
			"{" + place + `"blockTimestamp":"0x1b","contractAddress":null,` + middle + price + `"executionGasUsed":"0x37",` + from + `"status":"0x1","stateGasUsed":"0x38",` + end(legacy.Hash(), to, "0x0"),
		},
		"blobs": {
			Receipt{receipt: receipt, tx: blobs, from: sender, in: in, members: StandardMembers},
			`{"blobGasUsed":"0x34","blobGasPrice":"0x35",` + place + `"contractAddress":null,` + middle + price + from + `"status":"0x1",` + end(blobs.Hash(), to, "0x3"),
		},
		"deposit": {
			Receipt{receipt: receipt, tx: deposit, from: sender, in: in, members: StandardMembers, fees: new(optimism.Fees)},
			"{" + place + `"contractAddress":null,` + middle + `"depositNonce":"0x36","depositReceiptVersion":"0x1",` + price + from + `"status":"0x1",` + end(deposit.Hash(), to, "0x7e"),
		},
		"before byzantium": {
			Receipt{receipt: &types.Receipt{PostState: []byte{1, 2}, EffectiveGasPrice: new(big.Int)}, tx: legacy, from: sender, in: in, members: StandardMembers},
			"{" + place + `"contractAddress":null,"cumulativeGasUsed":"0x0","effectiveGasPrice":"0x0","from":"` + account("f1") + `","gasUsed":"0x0","logs":[],"logsBloom":"0x` + common.Bytes2Hex(make([]byte, 256)) +
				`","root":"0x0102",` + end(legacy.Hash(), to, "0x0"),
		},
	} {
		require.Equal(t, c.want, string(c.receipt.AppendJSON(nil)), name)
		require.Equal(t, "["+c.want+","+c.want+"]", string(Receipts{c.receipt, c.receipt}.AppendJSON(nil)), name)
	}
}
