package integration_test

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/scenario"
)

// pageReport holds the report of npm/page.mjs, which uses the page in a browser.
type pageReport struct {
	Title, Lang     string
	Errors, Foreign []string
	Follow          struct {
		Seen            []string
		Call, Curl, Log string
		Trail           []string
		Back            string
	}
	Play struct {
		First, Last, Conclusion string
		Steps                   []string
	}
	Told struct {
		Pending int
		Moves   []string
	}
	Reload struct{ Transaction, Log string }
	Failed struct {
		Preconfirmed, Sealed, Reason  string
		Building, Row, Block, Account bool
	}
	Addresses struct {
		Trail         []string
		Sent, Removed bool
	}
	Looked struct {
		Named                                       int
		Logged, Paid, Delegated, Operation, Account string
	}
	Found []string

	Unknown, Folded, Clock string
	Filtered, Subscribers  int
	Drawer                 struct {
		Closed, Answer, After bool
		Height                int
	}
	Check  pageCheck
	Attack struct {
		Status       []string
		Shown, Error string
		Pwned        string
		Markup       int
		Longest      int
	}
	Burden struct {
		Blocks, Logs, Elements, Drawn, Growing, Frames, Median, P95, Worst int
		Grown, Work                                                        float64 // ms
	}
}

// pageCheck holds the findings of inspect of npm/browser.mjs.
type pageCheck struct {
	Violations, Wide []string
	Checks           int
}

// requireSound fails the test unless the check found nothing.
func (c pageCheck) requireSound(t *testing.T) {
	t.Helper()
	t.Logf("axe-core looked %d times", c.Checks)
	require.Positive(t, c.Checks)
	require.Empty(t, c.Violations, "axe-core")
	require.Empty(t, c.Wide, "views that scroll sideways")
}

// browser returns the path of a Chromium. Without one the test is skipped, or fails if FAKENODE_PAGE is set.
func browser(t *testing.T) string {
	t.Helper()
	laboratory.Needs(t, laboratory.Browser, "node", "npm")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	require.Empty(t, os.Getenv("FAKENODE_PAGE"), "make page needs chromium")
	t.Skip("chromium is not installed: what is seen in a browser is not tested")
	return ""
}

// Ensure the page shows in a real browser what happens on the node, commands it, is accessible, believes nothing that
// comes from the chain, and stays smooth. FAKENODE_SCREENSHOTS names a directory for pictures of every view.
func TestPage(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	saw := runScript[pageReport](t, node, "page.mjs", browser(t), os.Getenv("FAKENODE_SCREENSHOTS"))
	require.Empty(t, saw.Errors)
	require.Empty(t, saw.Foreign, "requests to other places")
	require.Equal(t, "en", saw.Lang)
	require.Contains(t, saw.Title, "fakenode")

	require.Equal(t, []string{"pool", "flashblock 0 of 1", "block 1", "orphaned from 1"}, saw.Follow.Seen)
	require.Equal(t, saw.Follow.Seen, saw.Follow.Trail)
	require.Equal(t, `fakenode_reorg({"depth":1,"transactions":"drop"})`, saw.Follow.Call)
	require.Contains(t, saw.Follow.Curl, node.URL())
	require.Contains(t, saw.Follow.Log, "25 USDC")
	require.Equal(t, "tx", saw.Follow.Back, "focus goes back to what opened the details")

	require.Contains(t, saw.Play.First, "Step 1 of ")
	require.Contains(t, saw.Play.Last, "All ")
	require.Contains(t, saw.Play.Conclusion, "The payment did not happen")
	require.Greater(t, len(saw.Play.Steps), 3)
	require.Contains(t, saw.Play.Steps[len(saw.Play.Steps)-1], "newHeads")

	require.Equal(t, 1, saw.Told.Pending, "others see the second move")
	require.Equal(t, []string{
		"It was sent: the payment waits in the pool.", "Flashblock N of block N came: the payment is pre-confirmed.",
		"The fault drop struck. Blocks were sealed up to N: nothing is left of the payment.",
	}, saw.Told.Moves)

	require.Equal(t, "orphaned from 1", saw.Reload.Transaction)
	require.Contains(t, saw.Reload.Log, "25 USDC")

	require.Regexp(t, `^failed, flashblock 0 of \d+$`, saw.Failed.Preconfirmed)
	require.Regexp(t, `^failed, block \d+$`, saw.Failed.Sealed)
	require.Contains(t, saw.Failed.Reason, "transfer amount exceeds balance")
	require.True(t, saw.Failed.Building, "the block being built")
	require.True(t, saw.Failed.Row, "the list of blocks")
	require.True(t, saw.Failed.Block, "the details of a block")
	require.True(t, saw.Failed.Account, "the details of an account")

	require.Equal(t, []string{"Transaction", "#transactions", "Transaction", "Transaction"}, saw.Addresses.Trail[1:])
	require.Regexp(t, `^Block \d+$`, saw.Addresses.Trail[0])
	require.True(t, saw.Addresses.Sent, "the link of a transaction")
	require.True(t, saw.Addresses.Removed, "the link of a removed log")
	for _, shown := range []string{"1 USDC", "Token", "transfer(to: ", "event DocumentedFlowToken.Transfer(", "intrinsic", "State: "} {
		require.Contains(t, saw.Looked.Paid, shown)
	}
	require.Equal(t, 2, saw.Looked.Named, "calls and events of contracts that the node knows")
	require.Contains(t, saw.Looked.Logged, "gas console.log hello", "in the call that wrote it")
	require.Contains(t, saw.Looked.Delegated, "To the code of")
	require.Contains(t, saw.Looked.Operation, "succeeded")
	require.Contains(t, saw.Looked.Account, node.Token().Address().Hex())
	require.Equal(t, []string{"Block 1", "Account", "Nothing has this number, hash or address."}, saw.Found)
	require.Contains(t, saw.Unknown, "This chain does not know the address")
	require.Contains(t, saw.Unknown, "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "by EIP-55")
	require.Regexp(t, `^\d+ empty blocks$`, saw.Folded)
	require.Zero(t, saw.Filtered, "rows of empty blocks beside the head, with the filter")
	require.Regexp(t, `^clock .* ahead of the wall, stands still$`, saw.Clock)
	require.Zero(t, saw.Subscribers, "pages among the clients")

	require.False(t, saw.Drawer.Closed, "the controls are in a drawer on a phone")
	require.True(t, saw.Drawer.Answer)
	require.False(t, saw.Drawer.After, "Escape closes it")
	require.Less(t, saw.Drawer.Height, 3_000, "pixels of a phone's page")

	saw.Check.requireSound(t)

	require.Equal(t, []string{"0x1", "0x0", "0x1"}, saw.Attack.Status)
	require.Contains(t, saw.Attack.Shown, "<img src=x", "shown as text")
	require.NotContains(t, saw.Attack.Shown, "\u202e")
	require.Contains(t, saw.Attack.Error, "<img src=x")
	require.Equal(t, "undefined", saw.Attack.Pwned)
	require.Zero(t, saw.Attack.Markup)
	require.Less(t, saw.Attack.Longest, 30_000, "1 MB is cut")

	require.GreaterOrEqual(t, saw.Burden.Blocks, 10_000)
	require.GreaterOrEqual(t, saw.Burden.Logs, 50_000)
	require.Less(t, saw.Burden.Elements, 1_500, "only visible rows are in the document")
	t.Logf("10,000 blocks and 50,000 logs grew in %d frames with %.0f ms of scripts, style and layout; scrolled through in %d frames, %.1f ms each; median %d ms apart, 95 %% within %d ms, worst %d ms; at most %d elements made in one",
		saw.Burden.Growing, saw.Burden.Grown, saw.Burden.Frames, saw.Burden.Work, saw.Burden.Median, saw.Burden.P95, saw.Burden.Worst, saw.Burden.Drawn)
	require.Positive(t, saw.Burden.Drawn)
	require.Less(t, saw.Burden.Drawn, 1_000, "elements made in one frame of scrolling")
	if os.Getenv("FAKENODE_PAGE") != "" { // make page, which has the machine for itself
		require.Less(t, saw.Burden.Work, 16.0, "ms of processor time a frame, painting not counted: 60 frames a second are possible")
	}
}

// pagePathsReport holds the report of npm/page_paths.mjs, which opens pages in a browser.
type pagePathsReport struct {
	Errors, Foreign []string
	Watch           struct {
		Waiting       string
		Reason, Hands bool
		Shown         map[string]bool
		Buttons       int
	}
	World struct {
		Call, Curl, Chain, Path string
		Hidden                  bool
		Heights                 []string
	}
}

// Ensure the page of a node without control methods shows everything and commands nothing, and that the pages of a
// world and of its test network show and command that world alone.
func TestPagePaths(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	closed := fakenode.RunConfigT(t, fakenode.Config{NoControl: true})
	saw := runScript[pagePathsReport](t, node, "page_paths.mjs", browser(t), closed.URL())
	require.Empty(t, saw.Errors)
	require.Empty(t, saw.Foreign, "requests to other places")

	require.Equal(t, "pool", saw.Watch.Waiting)
	require.True(t, saw.Watch.Reason)
	require.False(t, saw.Watch.Hands)
	require.Zero(t, saw.Watch.Buttons)
	require.Len(t, saw.Watch.Shown, 8)
	for view, shown := range saw.Watch.Shown {
		require.True(t, shown, view)
	}

	require.Equal(t, "fakenode_seal(1)", saw.World.Call)
	require.Contains(t, saw.World.Curl, node.URL()+"/w/seen")
	require.True(t, saw.World.Hidden, "a tab that is not seen goes on")
	require.Equal(t, []string{"0x0", "0x2", "0x2"}, saw.World.Heights)
	require.Contains(t, saw.World.Chain, "31338")
	require.Equal(t, "/w/seen", saw.World.Path, "the page at / links to it")
}

// pageBridgeReport holds the report of npm/page_bridge.mjs, which opens the pages of an L2 and its L1 in a browser.
type pageBridgeReport struct {
	Errors, Foreign                              []string
	Deposit, Derived, Withdrawal, Games, Reorged string
	Origin, Path, Chain, Same                    string
	Testnet                                      bool
	Commands                                     []string
	Paused                                       string
	Check                                        pageCheck
}

// Ensure the pages of an L2 and its L1 show what is under way between them and what a reorg leaves of it, and lead from
// one to the other.
func TestPageOfABridge(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism, L1: &fakenode.L1Config{Distance: 1, ProposeEvery: -1}})
	saw := runScript[pageBridgeReport](t, node, "page_bridge.mjs", browser(t), l1.Optimism.Portal.Hex())
	require.Empty(t, saw.Errors)
	require.Empty(t, saw.Foreign, "requests to other places")
	require.Contains(t, saw.Deposit, "1 ETH")
	require.Contains(t, saw.Withdrawal, "a game about its block or a later one")
	require.Equal(t, "/l1", saw.Path)
	require.Contains(t, saw.Chain, "chain 1")
	require.Equal(t, saw.Games, saw.Same)
	require.True(t, saw.Testnet, "no bridge")
	require.Len(t, saw.Commands, 6)
	for _, command := range saw.Commands {
		require.NotContains(t, command, ": -32", "an error")
	}
	require.Contains(t, saw.Paused, "paused")
	saw.Check.requireSound(t)
}

// Ensure the page offers the scenarios that there are.
func TestPageKnowsTheScenarios(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("../rpcserver/page/assets/scenario.js")
	require.NoError(t, err)
	_, list, _ := strings.Cut(string(script), "export const kinds = {")
	list, _, _ = strings.Cut(list, "};")
	names := firstGroups(`'(\w+)'[,\]]`, list)
	slices.Sort(names)
	require.Equal(t, scenarioNames(scenario.All()), names)
}

// scenarioNames returns the names in lists of scenarios, sorted.
func scenarioNames(lists ...[]scenario.Scenario) (names []string) {
	for _, s := range slices.Concat(lists...) {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	return names
}

// firstGroups returns the text of an expression's first group, for each match.
func firstGroups(expression, text string) (found []string) {
	for _, match := range regexp.MustCompile(expression).FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	return found
}
