package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// stages returns the stages that an order went through, as the shop logged them.
func (m *merchant) stages(id string) (stages []string) {
	for _, found := range regexp.MustCompile(`order=`+id+` .*?stage=(\w+)`).FindAllStringSubmatch(m.written.String(), -1) {
		stages = append(stages, found[1])
	}
	return slices.Compact(stages)
}

// Ensure an order that is captured in the blocks of a story of nodes that are behind is captured once, and taken back
// by a reorg alone, however often the shop looks while one of them answers.
func TestStoriesOfNodesBehind(t *testing.T) {
	t.Parallel()
	for _, scenario := range fakenode.Scenarios() {
		if scenario.Kind != "nodes that are behind" {
			continue
		}
		t.Run(scenario.Name, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunT(t)
			node.Seal()
			g := newGate(t, node)
			m := startMerchant(t, node, "-rpc", g.url, "-poll", "5ms")
			o := m.store("25.00")
			story, err := node.Story(scenario.Name, fakenode.ScenarioParams{Payer: 2, Merchant: 3})
			require.NoError(t, err)
			for done := false; !done; {
				move, err := story.Next(t.Context())
				require.NoError(t, err)
				if strings.Contains(move.Did, "It was sent") {
					m.do(http.MethodPost, "/orders/"+o.ID+"/capture", nil)
					m.await(o.ID, "it is sent", func(o order) bool { return o.last().State == "sent" })
				}
				for range 6 {
					<-g.looks
				}
				done = move.Done
			}
			m.await(o.ID, "it is captured", captured)
			again := m.store("25.00")
			require.EqualValues(t, 1, m.capture(again.ID).last().Nonce)
			m.settles(again, 2*dollars25, 2)
			require.Equal(t, 1, m.show(o.ID).last().Attempts)
			m.end() // all is logged
			require.Equal(t, []string{"drafted", "stored", "captured"}, m.stages(o.ID), "a reorg moved it, nothing took it back")
		})
	}
}

// Ensure a shop that is told old things by three answers in ten captures each order once, and takes none back that no
// reorg removed.
func TestStaleAnswers(t *testing.T) {
	t.Parallel()
	behinds := []fakenode.Behind{{Orphaned: true}, {Blocks: 3}, {Time: 600 * time.Millisecond}, {Blocks: 1}}
	for _, behind := range behinds[:laboratory.Budget(t, 1, len(behinds))] {
		t.Run(fmt.Sprintf("%+v", behind), func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunT(t)
			node.Seal()
			m := startMerchant(t, node, "-poll", "5ms")
			require.NoError(t, node.Fail(fakenode.Fault{Times: fakenode.Forever, Share: 0.3, Seed: 7, Behind: behind}))
			rng := rand.New(rand.NewPCG(7, 0))
			went := map[string][]string{}
			for n := range 8 {
				o := m.store("25.00")
				m.captures(o.ID)
				m.await(o.ID, "it is sent", func(o order) bool { return o.last().State == "sent" })
				node.Preconfirm()
				for range 1 + rng.IntN(2) {
					node.Seal()
				}
				m.await(o.ID, "it is captured", captured)
				went[o.ID] = []string{"drafted", "stored", "captured"}
				if behind.Orphaned && n%2 == 1 { // its transaction is lost with its block
					depth := int(node.BlockNumber() - m.show(o.ID).Settlement.BlockNumber + 1)
					sentAgain := m.joined()
					_, err := node.Reorg(fakenode.ReorgOptions{Depth: depth, Transactions: fakenode.Drop})
					require.NoError(t, err)
					sentAgain()
					m.await(o.ID, "it is taken back", func(o order) bool { return o.Stage == "stored" })
					node.Seal()
					m.await(o.ID, "it is captured again", func(o order) bool {
						return captured(o) && o.Settlement.BlockNumber == node.BlockNumber()
					})
					went[o.ID] = append(went[o.ID], "stored", "captured")
				}
			}
			m.settled(8*dollars25, 8)
			m.end() // all is logged
			for id, stages := range went {
				require.Equal(t, stages, m.stages(id))
			}
		})
	}
}

// captures asks for a capture until it is recorded: one that a node behind would refuse is asked for again.
func (m *merchant) captures(id string) {
	m.t.Helper()
	for range 20 {
		if status, _, err := m.attempt(m.t.Context(), http.MethodPost, "/orders/"+id+"/capture", nil); err == nil && status == http.StatusOK {
			return
		}
	}
	require.Fail(m.t, "no capture is recorded")
}
