package main

import (
	"bytes"
	"database/sql"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure no trace of a signature is in the database once its order is voided, be it before a capture or after one that
// reverted, while the program runs and after it was killed.
func TestVoidWipes(t *testing.T) {
	t.Parallel()
	m := newMerchant(t, fakenode.RunT(t))
	process := m.spawn()
	var orders []order
	for range 20 { // so that SQLite moves rows about
		orders = append(orders, m.store("1"))
	}
	m.submit(fakenode.TokenOwner, pack(m, "pause"))
	m.capture(orders[0].ID)
	m.node.Seal()
	m.await(orders[0].ID, "the capture reverted", reverted)
	m.node.Advance(64 * 2 * time.Second)
	m.await(orders[0].ID, "that is final", func(o order) bool { return o.last().Final })
	require.Len(t, m.traces(), len(orders))
	for _, o := range orders {
		m.do(http.MethodPost, "/orders/"+o.ID+"/void", nil)
	}
	require.Empty(t, m.traces())
	m.kill(process)
	require.Empty(t, m.traces())
}

// traces returns the signatures that the database's files hold. It reads the log before the database, since a
// checkpoint in between moves pages from the one to the other.
func (m *merchant) traces() (found [][]byte) {
	m.t.Helper()
	files, err := filepath.Glob(m.database() + "*")
	require.NoError(m.t, err)
	var all []byte
	for _, file := range slices.Backward(files) {
		content, err := os.ReadFile(file)
		require.NoError(m.t, err)
		all = append(all, content...)
	}
	for _, signature := range m.signatures {
		if bytes.Contains(all, signature[:32]) || bytes.Contains(all, signature[32:64]) {
			found = append(found, signature)
		}
	}
	return found
}

// Ensure the signature of an order that is voided while another process reads the file leaves it once that ends.
func TestVoidDuringBackup(t *testing.T) {
	t.Parallel()
	m, o := stored(t)
	database, err := sql.Open("sqlite", m.database())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, database.Close()) })
	backup, err := database.Begin()
	require.NoError(t, err)
	var orders int
	require.NoError(t, backup.QueryRow(`SELECT count(*) FROM orders`).Scan(&orders))

	require.Equal(t, "voided", m.do(http.MethodPost, "/orders/"+o.ID+"/void", nil).Stage)
	m.written.await(t, "another process reads the database: signatures that were wiped are still in its log")
	require.Len(t, m.traces(), 1)
	require.NoError(t, backup.Rollback())
	m.written.await(t, "signatures that were wiped have left the database")
	require.Empty(t, m.traces())
}
