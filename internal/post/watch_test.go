package post

import (
	"io"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// Ensure an answer is late once it has been watched for 50 ms, or for twice that behind another, and once only; one
// that ends before is not.
func TestWatch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var own sync.Mutex // a Watch is used under its owner's
		own.Lock()
		defer own.Unlock()
		var w Watch[int]
		var late []time.Duration
		began := time.Now()
		looks := 0
		w.Look = func() {
			own.Lock()
			defer own.Unlock()
			looks++
			if w.IsLate() {
				late = append(late, time.Since(began))
			}
		}
		pass := func(d time.Duration) {
			own.Unlock()
			<-time.After(d)
			synctest.Wait()
			own.Lock()
		}
		first, second := new(int), new(int)
		w.Begin(first)
		pass(Patience - 1)
		require.Empty(t, late)
		pass(1)
		require.Equal(t, []time.Duration{50 * time.Millisecond}, late)
		require.False(t, w.End(first), "it was late already")
		pass(time.Second)
		require.Equal(t, 1, looks, "nobody is watched")

		began, late = time.Now(), nil
		w.Begin(first)
		pass(Patience / 2)
		require.True(t, w.End(first))
		require.False(t, w.End(first))
		w.Begin(second)
		pass(Patience / 2)
		require.Empty(t, late, "the look came too soon for it")
		require.Equal(t, 2, looks)
		pass(Patience)
		require.Equal(t, []time.Duration{2 * Patience}, late)
		require.False(t, w.End(second))

		w.Begin(first)
		require.False(t, w.End(second), "another is watched")
		require.True(t, w.End(first))
		pass(time.Second)
		require.Equal(t, 4, looks, "one more look, and none after it")
		w.Begin(first)
		w.Stop()
		pass(time.Second)
		require.Equal(t, 4, looks)
		new(Watch[int]).Stop()
	})
}

// Ensure an answer that takes so long that its client is watched comes while that is silent, and so does the next.
func TestLateAnswers(t *testing.T) {
	t.Parallel()
	own := serving(t, &http.Server{}, func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		for c, watched := w.(*answer).connection, false; !watched; runtime.Gosched() {
			c.mu.Lock()
			watched = c.ahead != nil
			c.mu.Unlock()
		}
		_, _ = w.Write(body)
	})
	conn := dial(t, own.Addr().String())
	for _, body := range []string{"first", "second"} {
		_, got := exchange(t, conn, posting(body))
		require.Equal(t, body, got)
	}
}
