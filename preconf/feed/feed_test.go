package feed_test

import (
	"context"
	"testing"

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

// Ensure a reader that is too far behind is cut off, and one that follows is not.
func TestSlow(t *testing.T) {
	t.Parallel()
	var writer feed.Writer[int]
	begin := new(feed.Link[int])
	slow, fast := feed.New(begin, nil), feed.New(begin, nil)
	for i, newest := 0, begin; i < 1<<17; i++ {
		first, last := writer.Links([]*int{&i})
		newest.Append(first)
		newest = last
		writer.Cut()
		_, err := fast.Next(t.Context())
		require.NoError(t, err)
	}
	var err error
	read := 0
	for ; err == nil; read++ {
		_, err = slow.Poll()
		require.Less(t, read, 1<<16)
	}
	require.ErrorIs(t, err, feed.ErrSlow)
}
