package command_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/command"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// anvilDump is a state as anvil 1.7.1 writes it, shortened. Some words lack leading zeros.
const anvilDump = `{"block":{"number":"0x1","beneficiary":"0x0000000000000000000000000000000000000000","timestamp":"0x6b028bf5",
	"gas_limit":30000000,"basefee":1000000000,"difficulty":"0x0","prevrandao":"0x2883a69bae2af18e55737f2fdad75d68819dfc08115ffc496b6f1273282a55c7",
	"blob_excess_gas_and_price":{"excess_blob_gas":0,"blob_gasprice":1},"slot_num":0},"accounts":{
	"0x00000000000000000000000000000000000000aa":{"nonce":0,"balance":"0x7","code":"0x","storage":{"0x01":"0x6eefcc2"}},
	"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266":{"nonce":12,"balance":"0x21e19e0a387cf2b5ff9","code":"0x6001","storage":{}}},
	"best_block_number":1,"blocks":[{"header":{"number":"0x0"}}],"transactions":[{"info":{}}],"historical_states":null}`

// Ensure dumps are read as anvil writes them and as earlier versions of the node did, packed or not.
func TestReadDump(t *testing.T) {
	t.Parallel()
	balance, _ := new(big.Int).SetString("21e19e0a387cf2b5ff9", 16)
	want := types.GenesisAlloc{
		{19: 0xaa}: {Balance: big.NewInt(7), Code: []byte{}, Storage: map[common.Hash]common.Hash{{31: 1}: common.HexToHash("0x6eefcc2")}},
		common.HexToAddress("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"): {Nonce: 12, Balance: balance, Code: []byte{0x60, 1}},
	}
	var packed bytes.Buffer
	archive := gzip.NewWriter(&packed)
	_, err := archive.Write([]byte(anvilDump))
	require.NoError(t, err)
	require.NoError(t, archive.Close())
	for _, text := range []string{anvilDump, packed.String()} {
		got, err := command.ReadDump(strings.NewReader(text))
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	got, err := command.ReadDump(strings.NewReader(`{"version":1,"accounts":{"0x00000000000000000000000000000000000000aa":{"balance":"0x5","nonce":"0x1"}}}`))
	require.NoError(t, err)
	require.Equal(t, types.GenesisAlloc{{19: 0xaa}: {Nonce: 1, Balance: big.NewInt(5)}}, got)
}

// Ensure equal states have equal dumps, which are read back whole, and that a dump ends when its client leaves and
// has the limit of answers.
func TestDumpsAreBounded(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Limits: api.Limits{MaxAnswer: 1 << 20}})
	account := common.Address{19: 0xaa}
	require.NoError(t, n.Timeline.EditState(func(s *evmstate.State) *evmstate.State {
		for i := range byte(3) {
			s = s.WithStorage(account, common.Hash{31: 3 - i}, common.Hash{31: i + 1})
		}
		return s.WithNonce(account, 7).WithBalance(account, uint256.NewInt(8)).WithCode(account, []byte{0x60, 1})
	}))
	var dump, again bytes.Buffer
	require.NoError(t, command.WriteDump(&dump, n.Timeline.Moment()))
	require.NoError(t, command.WriteDump(&again, n.Timeline.Moment()))
	require.Equal(t, dump.String(), again.String())
	read, err := command.ReadDump(&dump)
	require.NoError(t, err)
	state, err := n.Timeline.Moment().Latest().State()
	require.NoError(t, err)
	want := state.Alloc()
	for address, account := range want {
		if account.Code == nil {
			account.Code = []byte{}
			want[address] = account
		}
	}
	require.Equal(t, want, read)

	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"anvil_dumpState"}`)
	ctx, leave := context.WithCancel(t.Context())
	leave()
	require.Contains(t, string(n.Server.Call(ctx, world.Main, body)), "request cancelled")
	n.Do("anvil_dumpState")

	random := make([]byte, 600_000)
	_, _ = rand.NewChaCha8([32]byte{}).Read(random)
	require.NoError(t, n.Timeline.EditState(func(s *evmstate.State) *evmstate.State { return s.WithCode(account, random) }))
	n.Refuses(api.CodeServer, []string{"the limit is 1048576 bytes"}, "anvil_dumpState")
}

// Ensure the error names what is wrong with a dump and the account it is wrong in, and that nothing of it is loaded.
func TestReadDumpRefusals(t *testing.T) {
	t.Parallel()
	account := func(members string) string {
		return `{"accounts":{"0x00000000000000000000000000000000000000aa":{` + members + `}}}`
	}
	for text, want := range map[string]string{
		"":                           "it is not the JSON of accounts",
		"{":                          "it is not the JSON of accounts",
		"\x1f\x8b":                   "EOF",
		"{}":                         "it has no accounts",
		`{"accounts":{"0xaa":null}}`: "it is not the JSON of accounts by address",
		account(`"nonce":1`):         "account 0x00000000000000000000000000000000000000AA: it has no balance",
		account(`"balance":"-0x1"`):  "balance: not between 0 and 2^256-1",
		account(`"balance":"0x1","nonce":"0x10000000000000000"`): "nonce: not a whole number from 0 to 2^64-1",
		account(`"balance":"0x1","code":"0x6"`):                  "odd length",
		account(`"balance":"0x1","storage":{"x":"0x1"}`):         `slot "x" is no word`,
		account(`"balance":"0x1","storage":{"0x1":"y"}`):         "not a whole number",
	} {
		_, err := command.ReadDump(strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
	}
	n := servertest.Plain(t)
	n.Refuses(api.CodeInvalidParams, []string{"not a dump of anvil_dumpState", "no balance"}, "anvil_loadState",
		"0x"+common.Bytes2Hex([]byte(account(`"nonce":1`))))
}
