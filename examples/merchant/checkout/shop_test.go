package checkout

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure a change that one process makes is seen by those who wait at another one on the same file.
func TestWaitForAnotherProcess(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	config := Config{
		URL: node.URL(), Token: node.Token().Address(), Key: node.Account(1).Key, Database: filepath.Join(t.TempDir(), "merchant.db"), Timeout: time.Minute,
	}
	var shops [2]*Shop
	for i := range shops {
		shop, err := Open(t.Context(), config)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, shop.Close()) })
		shops[i] = shop
	}
	o, err := shops[0].Draft(t.Context(), Sale{Payer: node.Account(0).Address, Amount: "25.00"})
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	voidNow := sync.OnceFunc(func() {
		_, err := shops[0].Void(context.Background(), o.ID)
		require.NoError(t, err)
	})
	after, err := shops[1].Wait(waited{ctx, voidNow}, o.ID, o.Version)
	require.NoError(t, err)
	require.NoError(t, ctx.Err())
	require.Equal(t, Voided, after.Stage())
}

// waited is a context that calls begin when somebody starts to wait for its end.
type waited struct {
	context.Context
	begin func()
}

func (w waited) Done() <-chan struct{} {
	w.begin()
	return w.Context.Done()
}
