package checkout

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/tokencontract"
)

func newStore(t *testing.T, path string) *store {
	t.Helper()
	s, err := openStore(t.Context(), path, identity{chainID: 1, token: common.Address{1}, merchant: common.Address{2}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.close()) })
	return s
}

func anOrder(id, seed string) Order {
	return Order{ID: id, Terms: tokencontract.Authorization{
		From: common.Address{3}, To: common.Address{2}, Value: uint256.NewInt(5), ValidBefore: 7, Nonce: tokencontract.NonceFromSeed(seed),
	}}
}

// Ensure the pair of payer and nonce is good for one order only, whatever the code above does.
func TestReplayKey(t *testing.T) {
	t.Parallel()
	s := newStore(t, filepath.Join(t.TempDir(), "odd name?#%.db"))
	require.NoError(t, s.insertOrder(t.Context(), anOrder("first", "nonce")))
	require.ErrorContains(t, s.insertOrder(t.Context(), anOrder("second", "nonce")), "UNIQUE constraint failed: orders.payer, orders.nonce")

	agree := func(Order) error { return nil }
	_, err := s.setSignature(t.Context(), "first", Credential("signature"), agree)
	require.NoError(t, err)
	_, err = s.setSignature(t.Context(), "first", Credential("another"), agree)
	require.ErrorContains(t, err, "UNIQUE constraint failed")
	signature, err := s.signature(t.Context(), "first")
	require.NoError(t, err)
	require.Equal(t, "signature", string(signature))
}

// Ensure a file that is no database, or that cannot be made, is named.
func TestStoreRefuses(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "text")
	require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("not a database ", 100)), 0o600))
	for _, path := range []string{path, filepath.Join(t.TempDir(), "none", "merchant.db")} {
		_, err := openStore(context.Background(), path, identity{})
		require.ErrorContains(t, err, path)
	}
}
