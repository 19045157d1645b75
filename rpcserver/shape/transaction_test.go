package shape

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// word returns a word of 32 bytes, in hex, that ends in these digits.
func word(digits string) string { return "0x" + strings.Repeat("0", 64-len(digits)) + digits }

// account returns an address, in hex, that ends in these digits.
func account(digits string) string { return "0x" + strings.Repeat("0", 40-len(digits)) + digits }

var (
	sender, recipient = common.Address{19: 0xf1}, common.Address{19: 0x70}
	listed            = types.AccessList{
		{Address: common.Address{19: 1}}, {Address: common.Address{19: 2}, StorageKeys: []common.Hash{{31: 3}, {31: 4}}},
	}
)

// The members of a transaction's place in the pool, and of its sender.
const unplaced = `"blockHash":null,"blockNumber":null,"blockTimestamp":null,"transactionIndex":null,` +
	`"from":"0x00000000000000000000000000000000000000f1",`

// Ensure a transaction of each type has the members of its type, and no others.
func TestTransactionsOfEachType(t *testing.T) {
	t.Parallel()
	access := `"accessList":[{"address":"` + account("1") + `","storageKeys":[]},{"address":"` + account("2") + `","storageKeys":["` + word("3") + `","` + word("4") + `"]}]`
	num := func(n int64) *big.Int { return big.NewInt(n) }
	small := uint256.NewInt
	to := `"to":"` + account("70") + `",`
	for name, c := range map[string]struct {
		inner types.TxData
		rest  string // with the hash left open
	}{
		"legacy": {
			&types.LegacyTx{Nonce: 1, GasPrice: num(2), Gas: 3, To: &recipient, Value: num(4), Data: []byte{5}, V: num(27), R: num(6), S: num(7)},
			`"gas":"0x3","gasPrice":"0x2","hash":%q,"input":"0x05","nonce":"0x1",` + to + `"value":"0x4","type":"0x0","v":"0x1b","r":"0x6","s":"0x7"}`,
		},
		"legacy of a chain": {
			&types.LegacyTx{GasPrice: num(2), Value: num(0), V: num(2*5 + 36), R: num(6), S: num(7)},
			`"gas":"0x0","gasPrice":"0x2","hash":%q,"input":"0x","nonce":"0x0","to":null,"value":"0x0","type":"0x0","chainId":"0x5","v":"0x2e","r":"0x6","s":"0x7"}`,
		},
		"access list": {
			&types.AccessListTx{ChainID: num(9), Nonce: 1, GasPrice: num(2), Gas: 3, To: &recipient, Value: num(4), AccessList: listed, V: num(1), R: num(6), S: num(7)},
			`"gas":"0x3","gasPrice":"0x2","hash":%q,"input":"0x","nonce":"0x1",` + to + `"value":"0x4","type":"0x1",` + access + `,"chainId":"0x9","v":"0x1","r":"0x6","s":"0x7","yParity":"0x1"}`,
		},
		"dynamic fee": {
			&types.DynamicFeeTx{ChainID: num(0), Nonce: 1, GasFeeCap: num(20), GasTipCap: num(2), Gas: 3, To: &recipient, Value: num(4), V: num(0), R: num(6), S: num(7)},
			`"gas":"0x3","gasPrice":"0x14","maxFeePerGas":"0x14","maxPriorityFeePerGas":"0x2","hash":%q,"input":"0x","nonce":"0x1",` + to +
				`"value":"0x4","type":"0x2","accessList":[],"chainId":"0x0","v":"0x0","r":"0x6","s":"0x7","yParity":"0x0"}`,
		},
		"blobs": {
			&types.BlobTx{ChainID: small(9), GasFeeCap: small(20), GasTipCap: small(2), Gas: 3, To: recipient, Value: small(4), BlobFeeCap: small(8), BlobHashes: []common.Hash{{31: 1}, {31: 2}}, V: small(1), R: small(6), S: small(7)},
			`"gas":"0x3","gasPrice":"0x14","maxFeePerGas":"0x14","maxPriorityFeePerGas":"0x2","maxFeePerBlobGas":"0x8","hash":%q,"input":"0x","nonce":"0x0",` + to +
				`"value":"0x4","type":"0x3","accessList":[],"chainId":"0x9","blobVersionedHashes":["` + word("1") + `","` + word("2") + `"],"v":"0x1","r":"0x6","s":"0x7","yParity":"0x1"}`,
		},
		"delegations": {
			&types.SetCodeTx{ChainID: small(9), GasFeeCap: small(20), GasTipCap: small(2), Gas: 3, To: recipient, Value: small(4), V: small(1), R: small(6), S: small(7), AuthList: []types.SetCodeAuthorization{
				{ChainID: *small(9), Address: common.Address{19: 8}, Nonce: 10, V: 1, R: *small(11), S: *small(12)}, {},
			}},
			`"gas":"0x3","gasPrice":"0x14","maxFeePerGas":"0x14","maxPriorityFeePerGas":"0x2","hash":%q,"input":"0x","nonce":"0x0",` + to +
				`"value":"0x4","type":"0x4","accessList":[],"chainId":"0x9","authorizationList":[{"chainId":"0x9","address":"` + account("8") + `","nonce":"0xa","yParity":"0x1","r":"0xb","s":"0xc"},` +
				`{"chainId":"0x0","address":"` + account("0") + `","nonce":"0x0","yParity":"0x0","r":"0x0","s":"0x0"}],"v":"0x1","r":"0x6","s":"0x7","yParity":"0x1"}`,
		},
	} {
		tx := types.NewTx(c.inner)
		want := "{" + unplaced + fmt.Sprintf(c.rest, tx.Hash().Hex())
		require.Equal(t, want, string(PooledOf(tx, sender).AppendJSON(nil)), name)
		require.Equal(t, "["+want+","+want+"]", string(Pooled{{Tx: tx, From: sender}, {Tx: tx, From: sender}}.AppendJSON(nil)), name)
		var back types.Transaction
		require.NoError(t, json.Unmarshal([]byte(want), &back), name)
		require.Equal(t, tx.Hash(), back.Hash(), "%s: as go-ethereum reads it", name)
	}
	require.Equal(t, "[]", string(Pooled([]*pool.Entry(nil)).AppendJSON(nil)))
}

// Ensure a transaction has its place in the block as far as it is known, with the price that it pays there.
func TestPlaceOfTransaction(t *testing.T) {
	t.Parallel()
	tx := types.NewTx(&types.DynamicFeeTx{GasFeeCap: big.NewInt(20), GasTipCap: big.NewInt(2), Value: new(big.Int)})
	header := &types.Header{Number: big.NewInt(16), Time: 17, BaseFee: big.NewInt(10)}
	for want, h := range map[string]Header{
		`{"blockHash":null,"blockNumber":"0x10","blockTimestamp":"0x11","transactionIndex":"0x3",`:                                         {header: header},
		`{"blockHash":"` + word("5") + `","blockNumber":"0x10","blockTimestamp":"0x11","transactionIndex":"0x3",`:                          {header: header, hash: common.Hash{31: 5}},
		`{"blockHash":null,"blockNumber":"0x10","blockTimestamp":"0x11","blockTimestampMs":"0x12","transactionIndex":"0x3",`:               {header: header, time: BlockTime{0x12, true}},
		`{"blockHash":"` + word("5") + `","blockNumber":"0x10","blockTimestamp":"0x11","blockTimestampMs":"0x0","transactionIndex":"0x3",`: {header: header, hash: common.Hash{31: 5}, time: BlockTime{0, true}},
	} {
		text := string(Transaction{tx, sender, includedIn(h, 3)}.AppendJSON(nil))
		require.Truef(t, strings.HasPrefix(text, want), "%s", text)
		require.Contains(t, text, `"gasPrice":"0xc","maxFeePerGas":"0x14"`)
		logs := []*types.Log{{Address: recipient, Topics: []common.Hash{{31: 1}}, Data: []byte{2}, BlockNumber: 16, TxIndex: 3, Index: 4, BlockTimestamp: 17, Removed: true}}
		with := string(WithLogs(Transaction{tx, sender, includedIn(h, 3)}, logs))
		require.Equal(t, text[:len(text)-1]+`,"logs":[`+string(AppendLog(nil, logs[0], h.time))+"]}", with)
	}
}

// Ensure the price of gas is what EIP-1559 makes it, up to the fee cap.
func TestEffectiveGasPrice(t *testing.T) {
	t.Parallel()
	dynamic := types.NewTx(&types.DynamicFeeTx{GasFeeCap: big.NewInt(20), GasTipCap: big.NewInt(2)})
	legacy := types.NewTx(&types.LegacyTx{GasPrice: big.NewInt(20)})
	for _, c := range []struct {
		base, dynamic, legacy int64
	}{{-1, 20, 20}, {0, 2, 20}, {17, 19, 20}, {18, 20, 20}, {19, 20, 20}, {50, 20, 20}} {
		base := big.NewInt(c.base)
		if c.base < 0 {
			base = nil
		}
		require.EqualValues(t, c.dynamic, EffectiveGasPrice(dynamic, base).Int64(), "base fee %d", c.base)
		require.EqualValues(t, c.legacy, EffectiveGasPrice(legacy, base).Int64(), "base fee %d", c.base)
	}
}

// Ensure a deposit has the members that nodes of the OP stack give it, also without a mint and as a creation.
func TestDeposits(t *testing.T) {
	t.Parallel()
	place := `{"blockHash":"` + word("5") + `","blockNumber":"0x10","blockTimestamp":"0x11","transactionIndex":"0x0","depositReceiptVersion":"0x1","from":"` + account("f1") + `",`
	in := includedIn(Header{header: &types.Header{Number: big.NewInt(16), Time: 17}, hash: common.Hash{31: 5}}, 0)
	for _, c := range []struct {
		deposit optimism.Deposit
		rest    string
	}{
		{
			optimism.Deposit{SourceHash: common.Hash{31: 9}, From: sender, To: &recipient, Mint: big.NewInt(3), Value: big.NewInt(4), Gas: 6, IsSystem: true, Data: []byte{7}},
			`"gas":"0x6","gasPrice":"0x0","hash":%q,"input":"0x07","isSystemTx":true,"mint":"0x3","nonce":"0x8","sourceHash":"` + word("9") + `","to":"` + account("70") + `","value":"0x4","type":"0x7e","v":"0x0","r":"0x0","s":"0x0"}`,
		},
		{
			optimism.Deposit{From: sender, Value: new(big.Int)},
			`"gas":"0x0","gasPrice":"0x0","hash":%q,"input":"0x","mint":"0x0","nonce":"0x8","sourceHash":"` + word("0") + `","to":null,"value":"0x0","type":"0x7e","v":"0x0","r":"0x0","s":"0x0"}`,
		},
	} {
		tx := optimism.NewIncluded(&c.deposit, 8)
		require.Equal(t, place+fmt.Sprintf(c.rest, tx.Hash().Hex()), string(Transaction{tx, sender, in}.AppendJSON(nil)))
	}
	last := optimism.NewPostExec(16, nil)
	require.Equal(t, `{"blockHash":"`+word("5")+`","blockNumber":"0x10","blockTimestamp":"0x11","transactionIndex":"0x0","from":"`+account("0")+`","gas":"0x0","hash":"`+last.Hash().Hex()+
		`","input":"0x`+common.Bytes2Hex(last.Data())+fmt.Sprintf(`","type":"%#x","value":"0x0"}`, optimism.PostExecType), string(Transaction{last, sender, in}.AppendJSON(nil)))
}

// Ensure what another chain answered keeps the members that this node does not have, behind its own form of the others.
func TestRemoteObjects(t *testing.T) {
	t.Parallel()
	own := jsonText(`{"b":2}`)
	for _, c := range []struct {
		own          jsonrpc.Appender // nil: it has none
		answer, want string
	}{
		{own, `{"c":[3],"b":"old","a":1}`, `{"b":2,"a":1,"c":[3]}`},
		{nil, `{"c":[3],"b":"old","a":1}`, `{"a":1,"b":"old","c":[3]}`},
		{own, `{}`, `{"b":2}`},
		{nil, `{}`, `{}`},
		{jsonText(`{}`), `{"a":1}`, `{"a":1}`},
		{own, `{"a\"b":1}`, `{"b":2,"a\"b":1}`},
	} {
		require.Equal(t, "["+c.want, string(appendRemote([]byte("["), c.own, c.own != nil, json.RawMessage(c.answer))))
	}
}

// jsonText is an answer that is encoded already.
type jsonText string

func (t jsonText) AppendJSON(dst []byte) []byte { return append(dst, t...) }
