package stream_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/stream"
)

// realtime starts a network of that way, with flashblocks of 250 ms in blocks of 1 s.
func realtime(t *testing.T, way api.Preconf) *servertest.Network {
	t.Helper()
	return servertest.New(t, preconf.Config{
		Mode: control.Interval, BlockTime: time.Second, FlashblockTime: 250 * time.Millisecond, Behaviour: preconf.Behaviour{PendingHash: preconf.NoHash},
	}, rpcserver.Config{Settings: api.Settings{Behaviour: api.Behaviour{Preconf: way}}})
}

// busy is a contract that fills slot 1 and empties slot 2, and fills slot 3 with what it holds already; its first bytes
// are two logs.
func busy(n *servertest.Network) common.Address {
	account := common.HexToAddress("0xb0")
	n.Do("anvil_setCode", account, hexutil.Bytes(program.New().Push0().Push0().Op(vm.LOG0).Push0().Push0().Op(vm.LOG0).
		Sstore(1, 0x11).Sstore(2, 0).Sstore(3, 0x33).Op(vm.STOP).Bytes()))
	n.Do("anvil_setStorageAt", account, "0x2", common.Hash{31: 0x22})
	n.Do("anvil_setStorageAt", account, "0x3", common.Hash{31: 0x33})
	return account
}

// Ensure a mini-block has its number among all, its time, the gas of its own transactions, and these whole, and that a
// head counts those that its block had, or as many as fit where the subscription is younger.
func TestMiniBlocksAreCounted(t *testing.T) {
	t.Parallel()
	n := realtime(t, api.PreconfMegaETH)
	n.Seal(1)
	account := busy(n)
	s := n.Socket()
	minis, heads := s.Subscribe("miniBlocks"), s.Subscribe("newHeads")
	logs := s.Subscribe("logs", map[string]any{"fromBlock": "pending", "toBlock": "pending"})
	first := n.Transact(0, &account, new(big.Int), []byte{1})
	second := n.Pay(1, 2, 1)
	told := s.Told("fakenode_preconfirm")
	n.Transact(1, &account, new(big.Int), []byte{1})
	told = append(told, s.Told("fakenode_preconfirm")...)
	told = append(told, s.Told("fakenode_preconfirm")...)
	type mini struct {
		Block        hexutil.Uint64 `json:"block_number"`
		Timestamp    hexutil.Uint64 `json:"block_timestamp"`
		Index        hexutil.Uint64
		Number       hexutil.Uint64 `json:"mini_block_number"`
		Micros       hexutil.Uint64 `json:"mini_block_timestamp"`
		Gas          hexutil.Uint64 `json:"gas_used"`
		Transactions []struct{ Hash common.Hash }
		Receipts     []struct {
			TransactionHash common.Hash
			Logs            []struct{ LogIndex hexutil.Uint64 }
		}
	}
	blocks := servertest.Items[mini](t, told, minis)
	require.Len(t, blocks, 3)
	receipts := n.Timeline.Moment().Pending().Receipts()
	pending := n.Timeline.Moment().Pending()
	for i, b := range blocks {
		require.EqualValues(t, 2, b.Block)
		require.EqualValues(t, pending.Time(), b.Timestamp)
		require.EqualValues(t, i, b.Index)
		require.EqualValues(t, i, b.Number)
		require.EqualValues(t, pending.Time()*1_000_000-1_000_000+uint64(i)*250_000, b.Micros)
	}
	require.EqualValues(t, receipts[0].GasUsed+21_000, blocks[0].Gas)
	require.EqualValues(t, receipts[2].GasUsed, blocks[1].Gas)
	require.Zero(t, blocks[2].Gas)
	require.Equal(t, []common.Hash{first.Hash(), second.Hash()}, []common.Hash{blocks[0].Transactions[0].Hash, blocks[0].Transactions[1].Hash})
	require.Equal(t, first.Hash(), blocks[0].Receipts[0].TransactionHash)
	require.EqualValues(t, 3, blocks[1].Receipts[0].Logs[1].LogIndex)
	require.Empty(t, blocks[2].Transactions)
	require.NotNil(t, blocks[2].Receipts)
	require.Len(t, servertest.Items[servertest.LogItem](t, told, logs), 4, "as they are pre-confirmed")

	type head struct{ Number, MiniBlockCount, MiniBlockOffset hexutil.Uint64 }
	late := s.Subscribe("newHeads")
	told = s.Told("fakenode_seal")
	require.Equal(t, []head{{2, 3, 0}}, servertest.Items[head](t, told, heads))
	require.Equal(t, []head{{2, 3, 0}}, servertest.Items[head](t, told, late), "it has seen none of them")
	n.Preconfirm()
	told = s.Told("fakenode_seal")
	require.Equal(t, []head{{3, 1, 3}}, servertest.Items[head](t, told, heads))
	require.Equal(t, []head{{3, 1, 3}}, servertest.Items[head](t, told, late))
}

// Ensure the numbers and times of mini-blocks follow from the distances of blocks and flashblocks, also where these do
// not divide, are longer than a block, are none, or more of them come than fit.
func TestPaceOfMiniBlocks(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for _, p := range []struct {
		pace   stream.Pace
		before []uint64 // the end of the block, in microseconds, for the mini-blocks from 1 on
	}{
		{stream.Pace{Block: 1000 * ms, Flashblock: 250 * ms}, []uint64{750_000, 500_000, 250_000, 0, 0}},
		{stream.Pace{Block: 1000 * ms, Flashblock: 300 * ms}, []uint64{700_000, 400_000, 100_000, 0, 0}},
		{stream.Pace{Block: 200 * ms, Flashblock: 300 * ms}, []uint64{0, 0, 0, 0, 0}},
		{stream.Pace{Block: 2 * ms}, []uint64{2000, 2000, 2000, 2000, 2000}},
		{stream.Pace{Flashblock: ms}, []uint64{0, 0, 0, 0, 0}},
		{stream.Pace{}, []uint64{0, 0, 0, 0, 0}},
	} {
		t.Run(fmt.Sprint(p.pace), func(t *testing.T) {
			t.Parallel()
			s := newStage(t, jsonrpc.Limits{})
			s.items = stream.MiniBlocks(p.pace)
			m := s.join(s.dial())
			for range p.before {
				s.Preconfirm()
			}
			s.hub.CatchUp(jsonrpc.AllConnections)
			end := s.Timeline.Moment().Pending().Time() * 1_000_000
			require.Len(t, m.got, len(p.before))
			for i, item := range m.got {
				var is struct {
					Index     hexutil.Uint64
					Number    hexutil.Uint64 `json:"mini_block_number"`
					Timestamp hexutil.Uint64 `json:"mini_block_timestamp"`
				}
				require.NoError(t, json.Unmarshal(item, &is))
				require.EqualValues(t, i+1, is.Index)
				require.EqualValues(t, i+1, is.Number)
				require.EqualValues(t, end-p.before[i], is.Timestamp)
			}
		})
	}
}

// Ensure stateChanges brings each account that a flashblock changed, with the slots whose value is another one, by
// address, and those of watched accounts alone.
func TestStateChanges(t *testing.T) {
	t.Parallel()
	n := realtime(t, api.PreconfMegaETH)
	account := busy(n)
	s := n.Socket()
	all, none := s.Subscribe("stateChanges"), s.Subscribe("stateChanges", []common.Address{{0xdd}})
	one := s.Subscribe("stateChanges", []common.Address{account, servertest.Bob.Address})
	n.Transact(0, &account, big.NewInt(7), []byte{1})
	told := s.Told("fakenode_preconfirm")
	items := servertest.Items[json.RawMessage](t, told, all)
	changed := `{"address":"` + strings.ToLower(account.Hex()) + `","nonce":0,"balance":"0x7","storage":{"0x` + servertest.Padded("1") + `":"0x` + servertest.Padded("11") +
		`","0x` + servertest.Padded("2") + `":"0x` + servertest.Padded("0") + `"}}`
	require.JSONEq(t, changed, string(servertest.Items[json.RawMessage](t, told, one)[0]))
	require.Len(t, servertest.Items[json.RawMessage](t, told, one), 1)
	require.Empty(t, servertest.Items[json.RawMessage](t, told, none))
	var addresses []string
	for _, item := range items {
		var is struct {
			Address string
			Nonce   uint64
			Storage map[string]string
		}
		require.NoError(t, json.Unmarshal(item, &is))
		addresses = append(addresses, is.Address)
		if strings.EqualFold(is.Address, servertest.Alice.Address.Hex()) {
			require.EqualValues(t, 1, is.Nonce)
			require.NotNil(t, is.Storage)
		}
	}
	require.IsIncreasing(t, addresses)
	require.Contains(t, addresses, strings.ToLower(servertest.Alice.Address.Hex()))
	require.Empty(t, s.Told("fakenode_seal"), "a block changes nothing more")

	// An account that destroys itself in its own creation was never there.
	n.Transact(0, nil, big.NewInt(9), common.FromHex("33ff"))
	told = s.Told("fakenode_preconfirm")
	for _, item := range servertest.Items[json.RawMessage](t, told, all) {
		require.NotContains(t, string(item), `"balance":null`)
	}
}

// Ensure a shred has the place of its first log in the block, its transactions with signers and receipts, and, asked
// for, accounts with the code that is new.
func TestShredsOfBlock(t *testing.T) {
	t.Parallel()
	n := realtime(t, api.PreconfRise)
	n.Seal(1)
	account := busy(n)
	s := n.Socket()
	whole, plain, logs := s.Subscribe("shreds", true), s.Subscribe("shreds", false), s.Subscribe("logs")
	n.Transact(1, &account, new(big.Int), []byte{1})
	told := s.Told("fakenode_preconfirm")
	creation := n.Transact(0, nil, new(big.Int), common.FromHex("0x60016000f3")) // code 0x00
	n.Transact(2, &account, new(big.Int), []byte{1})
	told = append(told, s.Told("fakenode_preconfirm")...)
	type shred struct {
		BlockNumber, ShredIdx, BlockTimestamp, StartingLogIndex uint64
		Transactions                                            []struct {
			Transaction struct{ Signer, From common.Address }
			Receipt     struct{ Status, CumulativeGasUsed hexutil.Uint64 }
		}
		StateChanges map[common.Address]struct {
			Nonce   uint64
			Storage map[common.Hash]common.Hash
			NewCode *string
		}
	}
	shreds := servertest.Items[shred](t, told, whole)
	require.Len(t, shreds, 2)
	receipts := n.Timeline.Moment().Pending().Receipts()
	for i, is := range shreds {
		require.Equal(t, []uint64{2, uint64(i), n.Timeline.Moment().Pending().Time(), uint64(2 * i)}, []uint64{is.BlockNumber, is.ShredIdx, is.BlockTimestamp, is.StartingLogIndex})
	}
	second := shreds[1]
	require.Equal(t, servertest.Alice.Address, second.Transactions[0].Transaction.Signer)
	require.NotEqual(t, servertest.Alice.Address, second.Transactions[1].Transaction.Signer)
	require.EqualValues(t, receipts[1].CumulativeGasUsed, second.Transactions[0].Receipt.CumulativeGasUsed)
	made := crypto.CreateAddress(servertest.Alice.Address, creation.Nonce())
	require.Equal(t, "0x00", *second.StateChanges[made].NewCode)
	require.EqualValues(t, 1, second.StateChanges[made].Nonce)
	require.Nil(t, second.StateChanges[servertest.Alice.Address].NewCode)
	require.NotContains(t, second.StateChanges, account, "all is as the first one left it")
	require.Len(t, shreds[0].StateChanges[account].Storage, 2)
	for _, text := range servertest.Items[json.RawMessage](t, told, plain) {
		require.NotContains(t, string(text), "stateChanges")
	}
	require.Len(t, servertest.Items[servertest.LogItem](t, told, logs), 4, "as they are pre-confirmed")
	require.Empty(t, s.Told("fakenode_seal"), "of flashblocks alone")
}
