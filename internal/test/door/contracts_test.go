package door_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts/permit2"
)

func codeAt(t *testing.T, network *fakenode.Network, address common.Address) []byte {
	t.Helper()
	code, err := network.Client().CodeAt(t.Context(), address, nil)
	require.NoError(t, err)
	return code
}

// Ensure each set of contracts is in the genesis of both networks, and nothing of a larger set.
func TestContracts(t *testing.T) {
	t.Parallel()
	for contracts, want := range map[fakenode.Contracts][2]bool{ // standard ones, payment contracts
		"": {true, true}, fakenode.PaymentContracts: {true, true}, fakenode.StandardContracts: {true, false}, fakenode.NoContracts: {false, false},
	} {
		node := fakenode.RunConfigT(t, fakenode.Config{Contracts: contracts})
		for _, network := range []*fakenode.Network{node.Network, node.Testnet()} {
			for address, account := range fixtures.Predeploys() {
				require.Equal(t, want[0], string(account.Code) == string(codeAt(t, network, address)), "%q %s", contracts, address)
			}
			for address, account := range fixtures.PaymentContracts() {
				require.Equal(t, want[1], string(account.Code) == string(codeAt(t, network, address)), "%q %s", contracts, address)
			}
			require.NotEmpty(t, codeAt(t, network, network.Token().Address()))
		}
	}
	_, err := fakenode.New(fakenode.Config{Contracts: "all"})
	require.EqualError(t, err, `contracts "all" are neither "none", "standard" nor "payments"`)
}

// Ensure a user's accounts are in both networks, in place of those a preset has there.
func TestPredeploys(t *testing.T) {
	t.Parallel()
	const account = "0x00000000000000000000000000000000000000aa"
	predeploys, err := fakenode.ReadPredeploys(strings.NewReader(`{
		"0x000000000022D473030F116dDEE9F6B43aC78BA3": {"code": "0x6001600055", "storage": {"0x0": "0x7", "0x0a": "0xff"}},
		"` + account + `": {"balance": "0x10", "nonce": 5}
	}`))
	require.NoError(t, err)
	node := fakenode.RunConfigT(t, fakenode.Config{Predeploys: predeploys})
	for _, network := range []*fakenode.Network{node.Network, node.Testnet()} {
		require.Equal(t, "0x6001600055", hexutil.Encode(codeAt(t, network, permit2.Address)))
		client := network.Client()
		word, err := client.StorageAt(t.Context(), permit2.Address, common.BigToHash(common.Big0), nil)
		require.NoError(t, err)
		require.Equal(t, common.BytesToHash([]byte{7}).Bytes(), word)
		nonce, err := client.NonceAt(t.Context(), permit2.Address, nil)
		require.NoError(t, err)
		require.EqualValues(t, 1, nonce, "as after a deployment")
		balance, err := client.BalanceAt(t.Context(), common.HexToAddress(account), nil)
		require.NoError(t, err)
		require.EqualValues(t, 16, balance.Int64())
		nonce, err = client.NonceAt(t.Context(), common.HexToAddress(account), nil)
		require.NoError(t, err)
		require.EqualValues(t, 5, nonce)
	}
	require.NotEqual(t, "0x6001600055", hexutil.Encode(codeAt(t, fakenode.RunT(t).Network, permit2.Address)), "another node has none of it")

	_, err = fakenode.New(fakenode.Config{Genesis: fakenode.NewGenesis(nil), Predeploys: types.GenesisAlloc{{1}: {}}})
	require.EqualError(t, err, "1 predeploys given with a genesis, which brings its own accounts")
}

// Ensure a bad file is rejected with the entry and the limit it breaks.
func TestReadPredeploysRefuses(t *testing.T) {
	t.Parallel()
	const at = "0x000000000022D473030F116dDEE9F6B43aC78BA3"
	entry := func(body string) string { return fmt.Sprintf(`{%q: %s}`, at, body) }
	for text, want := range map[string]string{
		``:                       "predeploys: want an object that maps addresses to accounts\nEOF",
		`[]`:                     "predeploys: want an object that maps addresses to accounts",
		`{`:                      "predeploys: EOF",
		`{}x`:                    "predeploys: data after the object",
		`{"0x12": {}}`:           `predeploys: "0x12" is not an address: want 0x and 40 hex digits`,
		`{"` + at[2:] + `": {}}`: `predeploys: "` + at[2:] + `" is not an address: want 0x and 40 hex digits`,
		`{"` + at + `": {}, "` + strings.ToLower(at) + `": {}}`: "predeploys: " + strings.ToLower(at) + " is there twice",
		entry(`7`):                           `json: cannot unmarshal number into Go value of type fakenode.predeploy`,
		entry(`{"kode": "0x"}`):              `json: unknown field "kode"`,
		entry(`{"code": "60"}`):              "code: want 0x and hex digits",
		entry(`{"code": "0x6"}`):             "code: encoding/hex: odd length hex string",
		entry(`{"storage": {"1": "0x1"}}`):   `storage slot "1": want 0x and hex digits`,
		entry(`{"storage": {"0x1": "0xg"}}`): `storage word "0xg" of slot 0x1: encoding/hex: invalid byte: U+0067 'g'`,
		entry(`{"storage": {"0x` + strings.Repeat("1", 65) + `": "0x1"}}`): `storage slot "0x` + strings.Repeat("1", 65) + `": 65 digits are over the limit of 64`,
		entry(`{"storage": {"0x1": "0x1", "0x01": "0x2"}}`):                "storage slot 0x0000000000000000000000000000000000000000000000000000000000000001 is there twice",
		entry(`{"balance": -1}`):                                           "balance: -1 is negative",
		entry(`{"balance": "0x1` + strings.Repeat("0", 64) + `"}`):         `balance: "0x1` + strings.Repeat("0", 64) + `" is no number up to 2^256 - 1: want decimal or 0x and hex`,
		entry(`{"nonce": "0x10000000000000000"}`):                          `nonce: "0x10000000000000000" is over the limit of 2^64 - 1`,
		entry(`{"nonce": 1.5}`):                                            "nonce: 1.5 is no number up to 2^64 - 1: want decimal or 0x and hex",
	} {
		if strings.HasPrefix(text, `{"`+at+`": `) && !strings.HasPrefix(want, "predeploys") {
			want = "predeploys: " + at + ": " + want
		}
		_, err := fakenode.ReadPredeploys(strings.NewReader(text))
		require.EqualError(t, err, want, text)
	}
}
