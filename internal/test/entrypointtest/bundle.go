package entrypointtest

import (
	_ "embed"
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
)

//go:embed actor.abi
var actorABI string

var (
	v09   = entrypoint.NewEntryPointV09()
	actor = func() abi.ABI {
		parsed, err := abi.JSON(strings.NewReader(actorABI))
		if err != nil {
			panic("entrypointtest: " + err.Error()) // it is the compiler's
		}
		return parsed
	}()
)

// bundle is a random transaction to an EntryPoint.
type bundle struct {
	ops  []entrypoint.PackedUserOperation
	data []byte
	size int
	how  string
}

// String describes the bundle for a failure.
func (b bundle) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s\n", b.how)
	for _, op := range b.ops {
		fmt.Fprintf(&s, "sender %s nonce %#x initCode %x callData %x limits %x pre %d fees %x paymaster %x signature %x\n", op.Sender, op.Nonce,
			op.InitCode, op.CallData, op.AccountGasLimits, op.PreVerificationGas, op.GasFees, op.PaymasterAndData, op.Signature)
	}
	return s.String()
}

func (w *twins) bundle() bundle {
	b := bundle{size: 1 + w.random.IntN(3)}
	for range b.size {
		b.ops = append(b.ops, w.operation())
	}
	to := beneficiary
	if w.one(15) {
		to = pick(w, common.Address{}, entrypoint.V07SenderCreatorAddress) // which takes no ether
	}
	if w.version.Name == "0.6" && w.one(5) {
		b.simulate(w)
		return b
	}
	if !w.one(6) {
		b.how = fmt.Sprintf("handleOps to %s", to)
		b.data = w.handleOps(b.ops, to)
		return b
	}
	aggregators := []common.Address{{}, factory, factory}
	if w.one(4) {
		aggregators = append(aggregators, common.Address{19: 1}, codeless)
	}
	cut := w.random.IntN(b.size + 1)
	first, second := pick(w, aggregators...), pick(w, aggregators...)
	signature := []byte(nil)
	if w.one(5) {
		signature = []byte{1}
	}
	for i := range b.ops { // most accounts name the aggregator that they are in a group of
		aggregator := first
		if i >= cut {
			aggregator = second
		}
		if len(b.ops[i].Signature) >= 33 && !w.one(12) {
			copy(b.ops[i].Signature[1+12:33], aggregator[:])
		}
	}
	b.how = fmt.Sprintf("handleAggregatedOps of %s and %s from %d on, signature %x, to %s", first, second, cut, signature, to)
	if w.version.Name == "0.6" {
		b.data = binding.PackHandleAggregatedOps([]entrypoint.UserOpsPerAggregatorV06{
			{UserOps: unpacked(b.ops[:cut]), Aggregator: first, Signature: signature},
			{UserOps: unpacked(b.ops[cut:]), Aggregator: second, Signature: signature},
		}, to)
		return b
	}
	b.data = v07.PackHandleAggregatedOps([]entrypoint.UserOpsPerAggregator{
		{UserOps: b.ops[:cut], Aggregator: first, Signature: signature}, {UserOps: b.ops[cut:], Aggregator: second, Signature: signature},
	}, to)
	return b
}

// simulate makes the bundle one of v0.6's simulations of its first operation.
func (b *bundle) simulate(w *twins) {
	op := unpacked(b.ops[:1])[0]
	if w.one(2) {
		b.how, b.data = "simulateValidation", binding.PackSimulateValidation(op)
		return
	}
	target := pick(w, common.Address{}, rich)
	b.how, b.data = "simulateHandleOp with "+target.Hex(), binding.PackSimulateHandleOp(op, target, pack("execute", pick[uint8](w, 0, 10), rich, []byte{1}))
}

func (w *twins) handleOps(ops []entrypoint.PackedUserOperation, to common.Address) []byte {
	if w.version.Name == "0.6" {
		return entrypoint.PackHandleOps(to, unpacked(ops)...)
	}
	return entrypoint.PackHandlePackedOps(to, ops...)
}

// unpacked returns operations in the form of v0.6, whose paymaster data has no gas limits.
func unpacked(ops []entrypoint.PackedUserOperation) []entrypoint.UserOperation {
	var all []entrypoint.UserOperation
	half := func(word [32]byte, from int) *big.Int { return new(big.Int).SetBytes(word[from : from+16]) }
	for _, op := range ops {
		paymaster := op.PaymasterAndData
		if len(paymaster) >= 52 {
			paymaster = append(append([]byte(nil), paymaster[:20]...), paymaster[52:]...)
		}
		all = append(all, entrypoint.UserOperation{
			Sender: op.Sender, Nonce: op.Nonce, InitCode: op.InitCode, CallData: op.CallData, PreVerificationGas: op.PreVerificationGas,
			VerificationGasLimit: half(op.AccountGasLimits, 0), CallGasLimit: half(op.AccountGasLimits, 16),
			MaxPriorityFeePerGas: half(op.GasFees, 0), MaxFeePerGas: half(op.GasFees, 16), PaymasterAndData: paymaster, Signature: op.Signature,
		})
	}
	return all
}
