package flashblocks_test

import (
	"sync"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/preconf"
)

// BenchmarkReaders measures the time until all of so many readers have a flashblock, as text and compressed; and the
// time that the flashblock's writer waits, with readers and without: their number should make no difference.
func BenchmarkReaders(b *testing.B) {
	for _, c := range []struct {
		name, query string
		readers     int
	}{
		{"none", "", 0}, {"1", "", 1}, {"1000", "", 1000}, {"1000 compressed", "?compression=brotli", 1000},
	} {
		b.Run(c.name, func(b *testing.B) {
			node, err := fakenode.New(fakenode.Config{StartTime: start})
			require.NoError(b, err)
			b.Cleanup(func() { _ = node.Close() })
			sockets := make([]*websocket.Conn, c.readers)
			for i := range sockets {
				ws, _, err := websocket.DefaultDialer.DialContext(b.Context(), node.WebSocketURL()+"/flashblocks"+c.query, nil)
				require.NoError(b, err)
				b.Cleanup(func() { _ = ws.Close() })
				sockets[i] = ws
			}
			tx := send(b, node, 0)
			found, err := node.Moment().Find(tx)
			require.NoError(b, err)
			require.Equal(b, preconf.Pooled, found.Where)
			node.Preconfirm()
			received := readAll(b, sockets)
			received()
			for b.Loop() {
				_, err := node.FlashblockFault(fakenode.FlashblockFault{Kind: fakenode.DuplicateFlashblock}) // nothing but the news
				if err != nil {
					b.Fatal(err)
				}
				received()
			}
		})
	}
}

// readAll returns a function that waits until each socket has got one more message.
func readAll(b *testing.B, sockets []*websocket.Conn) (received func()) {
	var messages sync.WaitGroup
	next := make([]chan struct{}, len(sockets))
	for i, ws := range sockets {
		next[i] = make(chan struct{}, 1)
		go func() {
			for range next[i] {
				if _, _, err := ws.ReadMessage(); err != nil {
					b.Error(err)
				}
				messages.Done()
			}
		}()
		b.Cleanup(func() { close(next[i]) })
	}
	return func() {
		messages.Add(len(sockets))
		for _, wanted := range next {
			wanted <- struct{}{}
		}
		messages.Wait()
	}
}

// BenchmarkWriter measures the time that a writer waits for a flashblock with a transaction while so many readers get
// it.
func BenchmarkWriter(b *testing.B) {
	for _, c := range []struct {
		name    string
		readers int
	}{{"none", 0}, {"1000", 1000}} {
		b.Run(c.name, func(b *testing.B) {
			node, err := fakenode.New(fakenode.Config{StartTime: start})
			require.NoError(b, err)
			b.Cleanup(func() { _ = node.Close() })
			for range c.readers {
				ws, _, err := websocket.DefaultDialer.DialContext(b.Context(), node.WebSocketURL()+"/flashblocks", nil)
				require.NoError(b, err)
				b.Cleanup(func() { _ = ws.Close() })
				go func() {
					for err := error(nil); err == nil; {
						_, _, err = ws.NextReader()
					}
				}()
			}
			for b.Loop() {
				b.StopTimer()
				if node.Moment().Pending().FlashblockIndex() == 100 {
					node.Seal()
				}
				send(b, node, 0)
				b.StartTimer()
				node.Preconfirm()
			}
		})
	}
}
