package entrypoint_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/fixtures"
	helpers "github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/internal/test/contracttest"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure fakenode's EntryPoints behave as in the tables.
func TestEntryPoints(t *testing.T) {
	t.Parallel()
	for _, version := range entryPoints() {
		code := entrypoint.Predeploys()[version.address].Code
		for _, c := range allCases(version) {
			t.Run(version.name+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				c.run(t, code)
			})
		}
	}
}

// Ensure the published EntryPoints behave as in the tables, as fakenode's own do.
func TestPublishedEntryPoints(t *testing.T) {
	t.Parallel()
	for _, version := range entryPoints() {
		t.Run(version.name, func(t *testing.T) {
			t.Parallel()
			code := version.published(t)
			for _, c := range allCases(version) {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					c.run(t, code)
				})
			}
		})
	}
}

// Ensure random operations of accounts, paymasters, factories and aggregators that do what they should not have equal
// results on fakenode's EntryPoints and the published ones, but for gas. FAKENODE_USER_OPERATIONS sets how many run on
// each version. The published v0.9 is a release candidate, so its cases leave out the two known differences.
func TestEntryPointsAgree(t *testing.T) {
	t.Parallel()
	operations := laboratory.Number(t, "FAKENODE_USER_OPERATIONS", 500)
	for _, version := range entryPoints() {
		t.Run(version.name, func(t *testing.T) {
			t.Parallel()
			published := version.published(t)
			compareCalls(t, version, published, 1, operations)
			seen := compare(t, version, published, 1, operations)
			t.Logf("%d operations, whose gas differs by %d at most: %v", operations, seen.widestGas, seen.results)
			for _, result := range []string{"succeeded", "AA13", "AA23", "AA24", "AA31", "UserOperationRevertReason", "SignatureAggregatorChanged"} {
				require.NotZero(t, seen.results[result], result)
			}
		})
	}
}

// published returns the code of a deployed EntryPoint that calls the SenderCreator at its usual address.
func (e entryPoint) published(t *testing.T) []byte {
	t.Helper()
	release := map[string]string{"0.6": "0.6.0", "0.7": "0.7.0", "0.8": "0.8.0", "0.9": "0.9.0-rc.1"}[e.name]
	var artifact struct{ Bytecode hexutil.Bytes }
	require.NoError(t, json.Unmarshal(contracttest.Published(t, "@account-abstraction/contracts@"+release, "package/artifacts/EntryPoint.json"), &artifact))
	chain := contracttest.New(t, nil)
	deployed := chain.Deploy(artifact.Bytecode)
	// The constructor created a SenderCreator and keeps its address in the code.
	created, usual := crypto.CreateAddress(deployed, 1), crypto.CreateAddress(e.address, 1)
	return bytes.ReplaceAll(chain.Code(deployed), created[:], usual[:])
}

// Ensure the code placed at genesis is the code that deploying gives.
func TestPredeploysAreDeployments(t *testing.T) {
	t.Parallel()
	c := contracttest.New(t, entrypoint.Predeploys())
	for address, bin := range map[common.Address]string{
		entrypoint.V06Address: entrypoint.EntryPointV06MetaData.Bin, entrypoint.V07Address: entrypoint.EntryPointV07MetaData.Bin,
		entrypoint.V09Address: entrypoint.EntryPointV09MetaData.Bin, entrypoint.V06SenderCreatorAddress: entrypoint.SenderCreatorMetaData.Bin,
	} {
		require.Equal(t, c.Code(c.Deploy(helpers.DeployCode(bin))), c.Code(address))
	}
}

// tableCase is one row of a table of what the EntryPoints do with operations. It runs on a chain of its own with the
// EntryPoint's code given.
type tableCase struct {
	name string
	run  func(t require.TestingT, code []byte)
}

// allCases returns the table of a version: its own cases of accounts that pay for themselves, and the cases of all
// versions.
func allCases(version entryPoint) []tableCase {
	cases := map[string]func() []tableCase{"0.6": v06Cases, "0.7": v07Cases, "0.8": v08Cases, "0.9": v09Cases}[version.name]()
	for name, run := range map[string]func(*actors){
		"a paymaster pays, and learns how it went": (*actors).paymaster,
		"a failing postOp":                         (*actors).postOp,
		"an aggregator signs for a group":          (*actors).aggregator,
		"a prefund below the cost":                 (*actors).lowPrefund,
		"stakes":                                   (*actors).stakes,
	} {
		cases = append(cases, newActorsCase(name, version, run))
	}
	return cases
}

// actors is a chain with actors, and one EntryPoint with the code given.
type actors struct {
	*twins
	chain *contracttest.Chain
}

func newActorsCase(name string, version entryPoint, run func(*actors)) tableCase {
	return tableCase{name, func(t require.TestingT, code []byte) {
		w := &twins{t: t, version: version}
		run(&actors{w, w.chain(code)})
	}}
}

// operation returns an operation of an account that pays from its deposit.
func (w *actors) operation() entrypoint.PackedUserOperation {
	return entrypoint.PackedUserOperation{
		Sender: rich, Nonce: new(big.Int), PreVerificationGas: big.NewInt(50_000), Signature: make([]byte, 33),
		CallData: pack("execute", uint8(0), common.Address{}, []byte(nil)), AccountGasLimits: entrypoint.PackUint128s(700_000, 300_000),
		GasFees: entrypoint.PackUint128s(1_000_000_000, 1_000_000_000),
	}
}

// sponsored returns the data of a paymaster that answers an empty word and the context given.
func sponsored(context ...byte) []byte {
	limits := entrypoint.PackUint128s(400_000, 300_000)
	data := append(append(sponsor.Bytes(), limits[:]...), make([]byte, 33)...)
	return append(data, context...)
}

func (w *actors) handle(ops ...entrypoint.PackedUserOperation) contracttest.Outcome {
	return w.chain.Send(fixtures.Dev(1), w.version.address, w.handleOps(ops, beneficiary))
}

// events returns the names of the EntryPoint's events and the event of the only operation.
func (w *actors) events(outcome contracttest.Outcome) ([]string, *entrypoint.EntryPointV09UserOperationEvent) {
	require.True(w.t, outcome.Succeeded, "reverted: %s", contracttest.Describe(outcome.Output))
	var names []string
	var handled *entrypoint.EntryPointV09UserOperationEvent
	for _, log := range outcome.Logs {
		if log.Address != w.version.address {
			continue
		}
		names = append(names, w.name(log))
		if event, err := v09.UnpackUserOperationEventEvent(log); err == nil {
			handled = event
		}
	}
	return names, handled
}

// modes returns the modes that postOp was called with.
func (w *actors) modes(outcome contracttest.Outcome) []byte {
	modes := []byte{}
	for _, log := range outcome.Logs {
		if log.Topics[0] == actor.Events["PostOp"].ID {
			modes = append(modes, log.Data[31])
		}
	}
	return modes
}

func (w *actors) deposit(account common.Address) *big.Int {
	return new(big.Int).SetBytes(w.chain.Read(w.version.address, v07.PackBalanceOf(account)))
}

func (w *actors) paymaster() {
	op := w.operation()
	op.PaymasterAndData = sponsored(0, 0)
	account, paymaster := w.deposit(rich), w.deposit(sponsor)
	outcome := w.handle(op)
	names, event := w.events(outcome)
	require.Equal(w.t, []string{"BeforeExecution", "UserOperationEvent"}, names)
	require.Equal(w.t, sponsor, event.Paymaster)
	require.True(w.t, event.Success)
	require.Equal(w.t, []byte{0}, w.modes(outcome))
	require.Equal(w.t, account, w.deposit(rich))
	require.Equal(w.t, event.ActualGasCost, new(big.Int).Sub(paymaster, w.deposit(sponsor)))

	op.Nonce, op.CallData = big.NewInt(1), pack("execute", uint8(10), common.Address{}, []byte(nil))
	outcome = w.handle(op)
	names, event = w.events(outcome)
	require.Equal(w.t, []string{"BeforeExecution", "UserOperationRevertReason", "UserOperationEvent"}, names)
	require.False(w.t, event.Success)
	require.Equal(w.t, []byte{1}, w.modes(outcome))

	op.Nonce, op.PaymasterAndData = big.NewInt(2), append(sponsored(), 0)[:len(sponsored())]
	require.Empty(w.t, w.modes(w.handle(op)), "without a context")

	op.Nonce = big.NewInt(3)
	copy(op.PaymasterAndData, broke[:])
	require.Contains(w.t, string(w.handle(op).Output), "AA31 paymaster deposit too low")
}

func (w *actors) postOp() {
	op := w.operation()
	op.CallData = pack("execute", uint8(0), w.version.address, v07.PackIncrementNonce(big.NewInt(9)))
	op.PaymasterAndData = sponsored(10, 0) // reverts after a call that succeeded
	outcome := w.handle(op)
	names, event := w.events(outcome)
	require.False(w.t, event.Success)
	// The call is undone: the number that it raised is zero.
	require.Equal(w.t, make([]byte, 32), w.chain.Read(w.version.address, v07.PackNonceSequenceNumber(rich, big.NewInt(9))))
	if w.version.name != "0.6" {
		require.Equal(w.t, []string{"BeforeExecution", "PostOpRevertReason", "UserOperationEvent"}, names)
		require.Empty(w.t, w.modes(outcome))
		return
	}
	require.Equal(w.t, []byte{2}, w.modes(outcome), "v0.6 asks a second time")
	op.Nonce, op.PaymasterAndData = big.NewInt(1), sponsored(10, 0xff)
	require.Contains(w.t, string(w.handle(op).Output), "AA50 postOp reverted: no")
}

func (w *actors) aggregator() {
	named := w.operation()
	copy(named.Signature[13:], factory[:])
	require.Contains(w.t, string(w.handle(named).Output), "AA24 signature error", "outside a group")
	own := w.operation()
	own.Sender = plain
	group := func(signature ...byte) contracttest.Outcome {
		ops := []entrypoint.PackedUserOperation{named, own}
		if w.version.name == "0.6" {
			return w.chain.Send(fixtures.Dev(1), w.version.address, binding.PackHandleAggregatedOps([]entrypoint.UserOpsPerAggregatorV06{
				{UserOps: unpacked(ops[:1]), Aggregator: factory, Signature: signature}, {UserOps: unpacked(ops[1:])},
			}, beneficiary))
		}
		return w.chain.Send(fixtures.Dev(1), w.version.address, v07.PackHandleAggregatedOps([]entrypoint.UserOpsPerAggregator{
			{UserOps: ops[:1], Aggregator: factory, Signature: signature}, {UserOps: ops[1:]},
		}, beneficiary))
	}
	w.chain.RevertsAs(group(1), contracttest.Error(w.t, v07.GetABI(), "SignatureValidationFailed", factory))
	names, _ := w.events(group())
	changes := map[string][]string{
		"0.6": {"BeforeExecution", "Deposited", "SignatureAggregatorChanged", "UserOperationEvent", "SignatureAggregatorChanged", "UserOperationEvent", "SignatureAggregatorChanged"},
		"0.7": {"Deposited", "BeforeExecution", "SignatureAggregatorChanged", "UserOperationEvent", "SignatureAggregatorChanged", "UserOperationEvent", "SignatureAggregatorChanged"},
	}
	want, ok := changes[w.version.name]
	if !ok {
		want = changes["0.7"][:6]
	}
	require.Equal(w.t, want, names)
}

// lowPrefund lowers the limits until the prefund does not pay for the EntryPoint's own gas.
func (w *actors) lowPrefund() {
	op := w.operation()
	op.PreVerificationGas, op.CallData = new(big.Int), nil
	for limit := uint64(30_000); limit < 120_000; limit += 100 {
		op.AccountGasLimits = entrypoint.PackUint128s(limit, 0)
		outcome := w.chain.Try(fixtures.Dev(1), w.version.address, w.handleOps([]entrypoint.PackedUserOperation{op}, beneficiary), new(uint256.Int))
		if w.version.name == "0.6" {
			if reason(outcome) == "AA51" {
				return
			}
			continue
		}
		if !outcome.Succeeded {
			continue
		}
		names, event := w.events(outcome)
		if names[1] == "UserOperationPrefundTooLow" {
			require.False(w.t, event.Success)
			require.Equal(w.t, new(big.Int).SetUint64(limit*1_000_000_000), event.ActualGasCost)
			return
		}
	}
	require.Fail(w.t, "the cost never was above the prefund")
}

func (w *actors) stakes() {
	from, entryPoint := fixtures.Dev(2), w.version.address
	info := func() entrypoint.DepositsDepositInfo {
		info, err := v09.UnpackGetDepositInfo(w.chain.Read(entryPoint, v09.PackGetDepositInfo(from.Address)))
		require.NoError(w.t, err)
		return info
	}
	require.True(w.t, w.chain.SendValue(from, entryPoint, v07.PackAddStake(100), uint256.NewInt(7)).Succeeded)
	require.True(w.t, info().Staked)
	require.Equal(w.t, []uint64{7, 100}, []uint64{info().Stake.Uint64(), uint64(info().UnstakeDelaySec)})
	require.False(w.t, w.chain.Send(from, entryPoint, v07.PackAddStake(99)).Succeeded, "the delay is not lowered")
	require.False(w.t, w.chain.Send(from, entryPoint, v07.PackWithdrawStake(beneficiary)).Succeeded, "it is locked")
	w.chain.Must(from, entryPoint, v07.PackUnlockStake())
	require.Equal(w.t, w.chain.Now()+100, info().WithdrawTime.Uint64())
	w.chain.SetTime(w.chain.Now() + 99)
	require.False(w.t, w.chain.Send(from, entryPoint, v07.PackWithdrawStake(beneficiary)).Succeeded, "it is not due")
	w.chain.SetTime(w.chain.Now() + 1)
	w.chain.Must(from, entryPoint, v07.PackWithdrawStake(beneficiary))
	require.Equal(w.t, "7", w.chain.Ether(beneficiary).Dec())
	require.Zero(w.t, info().Stake.Sign())
}
