package feed_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf/feed"
)

// Ensure a reader gets each event once, in order, and that closing it ends it, once.
func TestOrder(t *testing.T) {
	t.Parallel()
	var writer feed.Writer[int]
	begin, left := new(feed.Link[int]), 0
	reader := feed.New(begin, func() { left++ })
	e, err := reader.Poll()
	require.NoError(t, err)
	require.Nil(t, e)
	ready := reader.Ready()
	first, last := writer.Links([]*int{new(1), new(2)})
	begin.Append(first)
	<-ready
	third, _ := writer.Links([]*int{new(3)})
	last.Append(third)
	for want := range 3 {
		e, err := reader.Next(t.Context())
		require.NoError(t, err)
		require.Equal(t, want+1, *e)
		require.EqualValues(t, want+1, reader.Passed())
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err = reader.Next(gone)
	require.ErrorIs(t, err, context.Canceled)
	reader.Close()
	reader.Close()
	require.Equal(t, 1, left)
	_, err = reader.Next(t.Context())
	require.ErrorIs(t, err, feed.ErrClosed)
}

// Ensure a reader may be 65,536 events behind, and one that is a stretch further is cut off behind the first stretch
// that it did not read.
func TestCut(t *testing.T) {
	t.Parallel()
	var writer feed.Writer[int]
	begin := new(feed.Link[int])
	newest := begin
	grow := func(count int) {
		for range count {
			first, last := writer.Links([]*int{new(int)})
			newest.Append(first)
			newest = last
			writer.Cut()
		}
	}
	reads := func(r *feed.Feed[int]) (count int, err error) {
		for {
			e, err := r.Poll()
			if e == nil {
				return count, err
			}
			count++
		}
	}
	grow(66_559)
	count, err := reads(feed.New(begin, nil))
	require.NoError(t, err)
	require.Equal(t, 66_559, count)
	second, third := feed.New(begin, nil), feed.New(begin, nil)
	for range 1_025 {
		for _, r := range []*feed.Feed[int]{second, third} {
			_, err := r.Poll()
			require.NoError(t, err)
		}
	}
	grow(1)
	slow := feed.New(begin, nil)
	count, err = reads(slow)
	require.ErrorIs(t, err, feed.ErrSlow)
	require.Equal(t, 1_024, count)
	_, err = slow.Next(t.Context())
	require.ErrorIs(t, err, feed.ErrSlow)
	<-slow.Ready()
	grow(1_023)
	count, err = reads(third)
	require.NoError(t, err)
	require.Equal(t, 66_558, count)
	grow(1)
	count, err = reads(second)
	require.ErrorIs(t, err, feed.ErrSlow)
	require.Equal(t, 1_023, count)
	require.EqualValues(t, 2_048, second.Passed())
}

// Ensure links are counted from 1, no events make no links, and a reader may come before an event or after it, and go
// while it waits.
func TestLinks(t *testing.T) {
	t.Parallel()
	var writer feed.Writer[int]
	begin := new(feed.Link[int])
	first, last := writer.Links(nil)
	require.Nil(t, first)
	require.Nil(t, last)
	first, last = writer.Links([]*int{new(7), new(8)})
	require.Equal(t, []uint64{0, 1, 2}, []uint64{begin.Number(), first.Number(), last.Number()})
	early := feed.New(begin, nil)
	require.Zero(t, early.Passed())
	ready := early.Ready()
	require.Equal(t, ready, early.Ready(), "whoever asks")
	select {
	case <-ready:
		require.Fail(t, "nothing has happened")
	default:
	}
	got := make(chan int)
	go func() {
		for range 2 {
			if e, err := early.Next(t.Context()); err == nil {
				got <- *e
			}
		}
		_, err := early.Next(t.Context())
		if err == feed.ErrClosed {
			got <- 0
		}
	}()
	begin.Append(first)
	require.Equal(t, []int{7, 8}, []int{<-got, <-got})
	early.Close()
	require.Zero(t, <-got)
	<-feed.New(begin, nil).Ready()
	late := feed.New(last, nil)
	require.EqualValues(t, 2, late.Passed())
	e, err := late.Poll()
	require.NoError(t, err)
	require.Nil(t, e)
	late.Close()
	_, err = late.Poll()
	require.ErrorIs(t, err, feed.ErrClosed)
}

// Ensure a reader that waits is woken by an event, by the end of its feed, and by that of its context.
func TestWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var writer feed.Writer[int]
		begin := new(feed.Link[int])
		event, closed, left := feed.New(begin, nil), feed.New(begin, nil), feed.New(begin, nil)
		ctx, cancel := context.WithCancel(t.Context())
		var got [3]error
		var number int
		go func() {
			e, err := event.Next(ctx)
			number, got[0] = *e, err
		}()
		go func() { _, got[1] = closed.Next(ctx) }()
		synctest.Wait()
		closed.Close()
		synctest.Wait()
		require.ErrorIs(t, got[1], feed.ErrClosed)
		first, _ := writer.Links([]*int{new(7)})
		go func() {
			_, err := left.Next(ctx)
			if err == nil {
				_, err = left.Next(ctx)
			}
			got[2] = err
		}()
		synctest.Wait()
		begin.Append(first)
		synctest.Wait()
		require.NoError(t, got[0])
		require.Equal(t, 7, number)
		require.NoError(t, got[2])
		cancel()
		synctest.Wait()
		require.ErrorIs(t, got[2], context.Canceled)
	})
}
