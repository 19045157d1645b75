package flashblocks_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure a reader that names its last flashblock first gets all later ones, as far as they are among the last 16
// frames, and then new ones; whether or not somebody else read the feed meanwhile.
func TestResume(t *testing.T) {
	t.Parallel()
	for _, watched := range []bool{false, true} {
		node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start})
		if watched {
			listen(t, node.Network, "/flashblocks")
		}
		for range 3 {
			for range 6 {
				node.Preconfirm()
			}
			node.Seal()
		}
		resumed := func(number, index int) []string {
			r := listen(t, node.Network, fmt.Sprintf("/flashblocks?block_number=%d&flashblock_index=%d", number, index))
			return ids(r.frames())
		}
		require.Equal(t, []string{"3-4 after 3-3", "3-5 after 3-4"}, resumed(3, 3))
		require.Equal(t, []string{"3-0 after 2-5", "3-1 after 3-0", "3-2 after 3-1", "3-3 after 3-2", "3-4 after 3-3", "3-5 after 3-4"}, resumed(2, 5))
		require.Equal(t, []string{"3-0 after 2-5"}, resumed(2, 99)[:1])
		require.Empty(t, resumed(3, 5))
		require.Empty(t, resumed(9, 0))
		all := resumed(0, 0)
		require.Len(t, all, 16)
		require.Equal(t, "1-2 after 1-1", all[0])

		_, err := node.FlashblockFault(fakenode.FlashblockFault{Kind: fakenode.StallFlashblocks})
		require.NoError(t, err)
		node.Preconfirm() // lost
		node.Preconfirm()
		_, err = node.FlashblockFault(fakenode.FlashblockFault{Kind: fakenode.DuplicateFlashblock, Count: 3})
		require.NoError(t, err)
		r := listen(t, node.Network, "/flashblocks?block_number=3&flashblock_index=5")
		require.Equal(t, []string{"4-0 after 3-5"}, ids(r.frames()), "what was repeated comes once")
		node.Preconfirm()
		require.Equal(t, []string{"4-1 after 4-0"}, ids(r.frames()))
		require.Empty(t, listen(t, node.Network, "/flashblocks").frames(), "who does not ask gets what is new")
	}
}

// Ensure a flashblock that was taken back and made anew comes again to who resumes after it: it may know the other one.
func TestResumeAfterOneTakenBack(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start})
	send(t, node, 0)
	node.Preconfirm()
	send(t, node, 1)
	node.Preconfirm()
	_, err := node.FlashblockFault(fakenode.FlashblockFault{Kind: fakenode.DropFlashblocks, Gone: true})
	require.NoError(t, err)
	send(t, node, 2)
	node.Preconfirm()
	frames := listen(t, node.Network, "/flashblocks?block_number=1&flashblock_index=1").frames()
	require.Equal(t, []string{"1-1 after 1-0"}, ids(frames))
	require.Equal(t, node.Moment().Pending().GasUsed(), uint64(frames[0].Diff.GasUsed))
}
