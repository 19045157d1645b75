package scenario_test

import (
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts/b20"
	"github.com/fakenode/fakenode/contracts/channels"
	"github.com/fakenode/fakenode/contracts/checkout"
	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/contracts/escrow"
	"github.com/fakenode/fakenode/contracts/spendpermission"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/scenario"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure every scenario ends as it says, from Go and over RPC, and the same on every node.
func TestScenarios(t *testing.T) {
	t.Parallel()
	for _, scenario := range fakenode.Scenarios() {
		for _, params := range []fakenode.ScenarioParams{{}, {Payer: 3, Merchant: 2, Amount: "0.01", Depth: 3, Times: 4}} {
			t.Run(scenario.Name, func(t *testing.T) {
				t.Parallel()
				start := fakenode.Config{StartTime: time.Unix(1_700_000_000, 0)}
				if params.Times > 0 { // the same under the rules of an OP-stack chain
					start.Preset = fakenode.BaseFlashblocks
				}
				node, twin := fakenode.RunConfigT(t, start), fakenode.RunConfigT(t, start)
				for _, n := range []*fakenode.Node{node, twin} {
					for range 12 { // deep enough for the deepest
						n.Seal()
					}
				}
				got, err := node.Scenario(scenario.Name, params)
				require.NoError(t, err)
				checkConclusion(t, node, got)

				client, err := rpc.Dial(twin.URL())
				require.NoError(t, err)
				defer client.Close()
				var same fakenode.Conclusion
				require.NoError(t, client.CallContext(t.Context(), &same, "fakenode_scenario", scenario.Name, map[string]any{
					"payer": params.Payer, "merchant": params.Merchant, "amount": params.Amount, "depth": params.Depth, "times": params.Times,
				}))
				require.Equal(t, got, same)
				require.Equal(t, node.Moment().Latest().Hash(), twin.Moment().Latest().Hash())

				// A second playing is another payment.
				again, err := node.Scenario(scenario.Name, params)
				require.NoError(t, err)
				require.NotEqual(t, got.Nonce, again.Nonce)
				checkConclusion(t, node, again)
			})
		}
	}
}

// checkConclusion asks the node, as a client would, whether the conclusion is true.
func checkConclusion(t *testing.T, node *fakenode.Node, c fakenode.Conclusion) {
	t.Helper()
	require.NotEmpty(t, c.Statement)
	if c.Contract == node.Token().Address() {
		require.Equal(t, c.Settled, node.Token().AuthorizationState(c.Payer, c.Nonce))
	}
	client, err := ethclient.Dial(node.URL())
	require.NoError(t, err)
	defer client.Close()
	receipt, err := client.TransactionReceipt(t.Context(), c.Transaction)
	if c.Settled {
		require.NoError(t, err)
		require.Equal(t, uint64(1), receipt.Status)
		require.Equal(t, c.BlockHash, receipt.BlockHash)
		require.Equal(t, c.BlockNumber, receipt.BlockNumber.Uint64())
		require.False(t, c.Received.IsZero())
	} else {
		decoy := slices.Contains([]string{"FakeToken", "NonceOfAnotherPayer", "OtherToken"}, c.Scenario)
		require.True(t, err != nil || receipt.Status == 0 || decoy, "it is not there, or it failed")
		require.Zero(t, c.BlockHash)
	}
	for _, orphan := range c.Orphans {
		// The client cannot decode a whole block of an OP-stack chain.
		block, err := client.HeaderByHash(t.Context(), orphan)
		if c.Scenario == "ProposalReplaced" {
			require.ErrorIs(t, err, ethereum.NotFound, "nothing is left of it")
			continue
		}
		require.NoError(t, err, "orphans stay readable")
		receipts, err := client.BlockReceipts(t.Context(), rpc.BlockNumberOrHashWithHash(orphan, false))
		require.NoError(t, err)
		require.True(t, slices.ContainsFunc(receipts, func(r *types.Receipt) bool { return r.TxHash == c.Transaction }))
		canonical, err := client.HeaderByNumber(t.Context(), block.Number)
		require.NoError(t, err)
		require.NotEqual(t, orphan, canonical.Hash())
	}
}

// Ensure the scenarios of checkouts, channels, reservations and subscriptions leave the merchant what docs/payments.md
// says, and need their contracts.
func TestPaymentScenarios(t *testing.T) {
	t.Parallel()
	const nothing, failed, succeeded = -1, 0, 1 // what there is of the last capture
	for name, want := range map[string]struct {
		received string
		last     int
		contract common.Address
	}{
		"PartialCapturesThenReorg":  {"12.50", nothing, checkout.Address},
		"CeilingExceeded":           {"15", failed, checkout.Address},
		"PermitFrontRun":            {"25", succeeded, checkout.Address},
		"MemoReorgedOut":            {"0", nothing, b20.Address},
		"OperationInLostFlashblock": {"25", succeeded, entrypoint.V06Address},
		"BundleRevertedByNeighbour": {"25", succeeded, entrypoint.V06Address},
		"PaymasterRanDry":           {"25", succeeded, entrypoint.V06Address},
		"SponsoredThenReorgedOut":   {"0", failed, entrypoint.V06Address},
		"DelegationFrontRun":        {"0", failed, entrypoint.V08Address},
		"PeriodRollover":            {"50", succeeded, spendpermission.Address},
		"PermissionRevoked":         {"0", failed, spendpermission.Address},
		"ReclaimRacesCapture":       {"0", failed, escrow.V1_1.Escrow},
		"ShippedThenReorgedOut":     {"0", failed, tokencontract.MainnetAddress},
		"ChannelDepositReorgedOut":  {"0", failed, channels.Address},
		"ClaimRacesWithdrawal":      {"0", failed, channels.Address},
		"DepositSeenThenLost":       {"0", nothing, channels.Address},
		"VoucherAfterRefund":        {"0", failed, channels.Address},
		"WithdrawalOverslept":       {"0", failed, channels.Address},
	} {
		node := fakenode.RunT(t)
		before := node.Token().BalanceOf(node.Account(1).Address)
		conclusion, err := node.Scenario(name, fakenode.ScenarioParams{})
		require.NoError(t, err, name)
		require.Equal(t, fixtures.USD(want.received), conclusion.Received, name)
		require.Equal(t, conclusion.Received, new(uint256.Int).Sub(node.Token().BalanceOf(node.Account(1).Address), before), name)
		require.Equal(t, want.contract, conclusion.Contract, name)
		require.Equal(t, want.last == succeeded, conclusion.Settled, name)
		found, err := node.Moment().Find(conclusion.Transaction)
		require.NoError(t, err)
		require.Equal(t, want.last != nothing, found.Executed(), name)
		if found.Executed() {
			require.EqualValues(t, want.last, found.Receipt.Status, name)
		}

		if want.contract != tokencontract.MainnetAddress {
			bare := fakenode.RunConfigT(t, fakenode.Config{Contracts: fakenode.StandardContracts})
			_, err = bare.Scenario(name, fakenode.ScenarioParams{})
			require.ErrorContains(t, err, "there is no contract at "+want.contract.Hex(), name)
		}
	}
}

// Ensure a scenario that cannot be played changes nothing and reports why.
func TestScenarioRefused(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	before := node.Moment().Latest().Hash()
	for _, tc := range []struct {
		name   string
		params fakenode.ScenarioParams
		want   string
	}{
		{"Nonsense", fakenode.ScenarioParams{}, `unknown scenario "Nonsense", known are of pre-confirmations: FeeSpikeWhileCapturing`},
		{"PhantomLog", fakenode.ScenarioParams{Amount: "much"}, "much"},
		{"LateBlock", fakenode.ScenarioParams{Amount: "2000000"}, "the capture would fail: the token refuses it"},
	} {
		_, err := node.Scenario(tc.name, tc.params)
		require.ErrorContains(t, err, tc.want)
		require.Equal(t, before, node.Moment().Latest().Hash())
		require.Equal(t, common.Hash{}, node.Moment().Pending().Hash())
	}
}

// TestScenariosUnderAmsterdam checks that no scenario has a limit of gas which state gas exceeds.
func TestScenariosUnderAmsterdam(t *testing.T) {
	t.Parallel()
	for _, scenario := range some(t) {
		node := fakenode.RunConfigT(t, fakenode.Config{Hardfork: "amsterdam"})
		for range 4 {
			node.Seal()
		}
		conclusion, err := node.Scenario(scenario.Name, fakenode.ScenarioParams{})
		require.NoError(t, err, scenario.Name)
		checkConclusion(t, node, conclusion)
	}
}

// Ensure a scenario ends as it says whatever makes blocks, and leaves that, the snapshots and what others sent as it
// was.
func TestScenariosInEveryMode(t *testing.T) {
	t.Parallel()
	for _, mode := range []fakenode.Mode{fakenode.Manual, fakenode.Interval, fakenode.Instant} {
		t.Run(mode.String(), func(t *testing.T) {
			t.Parallel()
			for _, scenario := range some(t) {
				node := fakenode.RunConfigT(t, fakenode.Config{Mode: mode})
				pay(t, node, 0)
				if mode != fakenode.Instant {
					node.Preconfirm()
				}
				pay(t, node, 1)
				conclusion, err := node.Scenario(scenario.Name, fakenode.ScenarioParams{Payer: 1, Merchant: 0})
				require.NoError(t, err, scenario.Name)
				checkConclusion(t, node, conclusion)
				sent, err := node.Moment().Latest().State()
				require.NoError(t, err)
				require.GreaterOrEqual(t, sent.Nonce(node.Account(0).Address), uint64(2), scenario.Name)
				require.Equal(t, mode, node.Moment().Mode())
				require.EqualValues(t, 1, node.Snapshot(), scenario.Name)
			}
		})
	}
}

// Ensure a scenario goes beyond what is final, and plays under all rules that the token runs under: it asks for the
// chain id, as the EVM can from Istanbul on.
func TestScenariosFarAndEarly(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	for name, params := range map[string]fakenode.ScenarioParams{
		"DeepReorg": {Depth: 200}, "CaptureReorgedOut": {Depth: 100}, "FlappingHead": {Times: 70},
	} {
		conclusion, err := node.Scenario(name, params)
		require.NoError(t, err, name)
		checkConclusion(t, node, conclusion)
	}
	type need struct{ fork, without string }
	bundle := need{"london", "the bundle would fail: the contract at " + entrypoint.V06Address.Hex() + " reverts"}
	needs := map[string]need{
		"FeeSpikeWhileCapturing": {"london", "blocks have no base fee before london"}, "OperationInLostFlashblock": bundle,
		"BundleRevertedByNeighbour": bundle, "PaymasterRanDry": bundle, "SponsoredThenReorgedOut": bundle,
		"DelegationFrontRun": {"prague", "the bundle would fail: transaction type not supported: type 4"},
	}
	runs := false
	few := []string{"byzantium", "berlin", "london", "prague"}
	for _, fork := range laboratory.Budget(t, few, fakenode.Hardforks()) {
		runs = runs || slices.Index(fakenode.Hardforks(), fork) >= slices.Index(fakenode.Hardforks(), "istanbul")
		node := fakenode.RunConfigT(t, fakenode.Config{Hardfork: fork})
		for _, scenario := range some(t) {
			conclusion, err := node.Scenario(scenario.Name, fakenode.ScenarioParams{})
			if !runs && scenario.Name == "MemoReorgedOut" { // of another token, which needs less
				continue
			}
			if !runs {
				require.ErrorContains(t, err, "would fail", fork) // the capture, or what comes before it
				continue
			}
			if need := needs[scenario.Name]; slices.Index(fakenode.Hardforks(), fork) < slices.Index(fakenode.Hardforks(), need.fork) {
				require.ErrorContains(t, err, need.without, fork)
				continue
			}
			require.NoError(t, err, fork)
			checkConclusion(t, node, conclusion)
		}
	}
}

// Ensure a conclusion that would not be true is not given, and that nothing is left of the attempt.
func TestScenarioThatCannotHold(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(node *fakenode.Node){
		"paused": func(node *fakenode.Node) { node.Token().Pause() },
		"no token": func(node *fakenode.Node) {
			require.NoError(t, node.Timeline().EditState(func(s *evmstate.State) *evmstate.State {
				return s.WithCode(node.Token().Address(), nil)
			}))
		},
	} {
		for _, scenario := range some(t) {
			if scenario.Name == "MemoReorgedOut" { // of another token
				continue
			}
			node := fakenode.RunT(t)
			prepare(node)
			before := node.Moment().Latest().Hash()
			_, err := node.Scenario(scenario.Name, fakenode.ScenarioParams{})
			require.Error(t, err, "%s: %s", name, scenario.Name)
			require.Equal(t, before, node.Moment().Latest().Hash())
			require.Zero(t, node.Moment().PoolSize())
		}
	}
}

// Ensure scenarios that play at once take turns.
func TestScenariosConcurrently(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	played := make(chan error, 4)
	for i := range 4 {
		go func() {
			for _, scenario := range some(t) {
				if _, err := node.Scenario(scenario.Name, fakenode.ScenarioParams{Payer: i, Merchant: i + 1}); err != nil {
					played <- err
					return
				}
			}
			played <- nil
		}()
	}
	for range 4 {
		require.NoError(t, <-played)
	}
}

// Ensure those who watch see what the statement speaks of: pre-confirmed by a log of its amount, of another, or not at
// all.
func TestScenariosAsWatched(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct{ announced, other bool }{
		"LostPreconfirmation": {announced: true},
		"LateBlock":           {announced: true},
		"PhantomLog":          {announced: true, other: true},
		"StalledPending":      {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunT(t)
			feed := node.Timeline().Subscribe()
			defer feed.Close()
			conclusion, err := node.Scenario(name, fakenode.ScenarioParams{})
			require.NoError(t, err)
			node.Seal()
			end := node.BlockNumber()
			var amounts []uint64
			for {
				event, err := feed.Next(t.Context())
				require.NoError(t, err)
				if event.Kind == preconf.HeadAdded && event.View.Number() == end {
					break
				}
				if event.Kind != preconf.FlashblockAdded {
					continue
				}
				for _, log := range event.Flashblock.Logs {
					if transfer, err := tokencontract.DecodeTransfer(*log); err == nil && log.TxHash == conclusion.Transaction {
						amounts = append(amounts, transfer.Value.Uint64())
					}
				}
			}
			require.Equal(t, want.announced, len(amounts) == 1)
			if want.announced {
				require.Equal(t, want.other, amounts[0] != conclusion.Value.Uint64())
			}
		})
	}
}

// Ensure faults that are armed, and a block that is late, wait until a scenario is over.
func TestScenarioAmongFaults(t *testing.T) {
	t.Parallel()
	for _, scenario := range some(t) {
		node := fakenode.RunT(t)
		for _, fault := range []fakenode.FlashblockFault{{Kind: control.LateBlock}, {Kind: control.LateBlock}, {Kind: control.StallFlashblocks, Count: 9}} {
			_, err := node.FlashblockFault(fault)
			require.NoError(t, err)
		}
		pay(t, node, 0)
		node.Seal()
		require.True(t, node.Moment().Late())
		_, err := node.FlashblockFault(fakenode.FlashblockFault{Kind: control.OmitTransactions, Count: 1})
		require.NoError(t, err)

		conclusion, err := node.Scenario(scenario.Name, fakenode.ScenarioParams{Payer: 3, Merchant: 4})
		require.NoError(t, err, scenario.Name)
		checkConclusion(t, node, conclusion)
		state, err := node.Moment().Latest().State()
		require.NoError(t, err)
		require.EqualValues(t, 1, state.Nonce(node.Account(0).Address), "the late block counts")

		pay(t, node, 1)
		node.Seal() // late, and without the transaction
		require.True(t, node.Moment().Late(), scenario.Name)
		require.Equal(t, 1, node.Moment().PoolSize(), scenario.Name)
	}
}

// Ensure a scenario's reorgs bring back what others had waiting, which the falling base fee lets into a block.
func TestScenarioKeepsWaitingTransactions(t *testing.T) {
	t.Parallel()
	for _, scenario := range some(t) {
		node := fakenode.RunT(t)
		baseFee := node.Moment().Pending().Header().BaseFee
		tx, err := types.SignNewTx(node.Account(5).Key, node.Moment().Signer(), &types.LegacyTx{
			GasPrice: new(big.Int).Div(new(big.Int).Mul(baseFee, big.NewInt(85)), big.NewInt(100)), Gas: 21_000, To: new(node.Account(6).Address),
		})
		require.NoError(t, err)
		require.NoError(t, node.Send(tx))
		_, err = node.Scenario(scenario.Name, fakenode.ScenarioParams{Depth: 4, Times: 5})
		require.NoError(t, err, scenario.Name)
		found, err := node.Moment().Find(tx.Hash())
		require.NoError(t, err)
		require.True(t, found.Present(), scenario.Name)
	}
}

// Ensure fakenode_scenario takes numbers plain or in hex, and rejects as malformed what it does not know.
func TestScenarioOverRPC(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	node.Seal()
	node.Seal()
	client, err := rpc.Dial(node.URL())
	require.NoError(t, err)
	defer client.Close()
	var conclusion fakenode.Conclusion
	hex := map[string]any{"payer": "0x2", "merchant": 3, "depth": "0x2", "amount": "1.50"}
	require.NoError(t, client.CallContext(t.Context(), &conclusion, "fakenode_scenario", "CaptureThenReorg", hex))
	require.Equal(t, node.Account(2).Address, conclusion.Payer)
	require.Len(t, conclusion.Orphans, 1)

	for want, params := range map[string][]any{
		`unknown scenario "Nonsense", known are of pre-confirmations: FeeSpikeWhileCapturing`: {"Nonsense"},
		`member "deep" is unknown`:      {"DeepReorg", map[string]any{"deep": 3}},
		"whole number":                  {"DeepReorg", map[string]any{"depth": -3}},
		"depth 2147483647 is outside 1": {"DeepReorg", map[string]any{"depth": 2147483647}},
	} {
		err := client.CallContext(t.Context(), nil, "fakenode_scenario", params...)
		require.ErrorContains(t, err, want)
		require.Equal(t, -32602, err.(rpc.Error).ErrorCode())
	}
}

// pay sends a transaction from development account 0.
func pay(t *testing.T, node *fakenode.Node, nonce uint64) {
	t.Helper()
	tx, err := types.SignNewTx(node.Account(0).Key, types.LatestSignerForChainID(big.NewInt(31337)), &types.LegacyTx{
		Nonce: nonce, GasPrice: big.NewInt(1e10), Gas: 21_000, To: new(node.Account(1).Address),
	})
	require.NoError(t, err)
	require.NoError(t, node.Send(tx))
}

// some returns every third scenario in the quick set, and all of them in the laboratory.
func some(t *testing.T) (played []scenario.Scenario) {
	t.Helper()
	all := fakenode.Scenarios()
	for i := 0; i < len(all); i += len(all) / laboratory.Budget(t, len(all)/3, len(all)) {
		played = append(played, all[i])
	}
	return played
}
