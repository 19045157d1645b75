package entrypoint_test

import (
	_ "embed"
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/internal/test/contracttest"
)

//go:embed testdata/actor/actor.abi
var actorABI string

var (
	v09   = entrypoint.NewEntryPointV09()
	actor = func() abi.ABI {
		parsed, err := abi.JSON(strings.NewReader(actorABI))
		if err != nil {
			panic(err) // it is the compiler's
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
	if w.version.name == "0.6" && w.one(5) {
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
	if w.version.name == "0.6" {
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
	if w.version.name == "0.6" {
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

// operation returns a random operation. Most of its parts are good, so that every check is reached.
func (w *twins) operation() entrypoint.PackedUserOperation {
	op := entrypoint.PackedUserOperation{
		Sender: pick(w, rich, rich, plain, plain, delegated.Address), Nonce: w.nonce(), PreVerificationGas: big.NewInt(50_000),
		Signature: w.acting(20, 1, 2),
	}
	if w.one(20) {
		op.Sender = pick(w, poor, codeless)
	}
	op.InitCode = w.initCode(&op.Sender)
	op.CallData = w.call()
	op.PaymasterAndData = w.paymaster()
	verification, call := uint64(700_000), uint64(300_000)
	if w.one(20) {
		verification = pick(w, 0, 1_000, uint64(29_000_000))
	}
	if w.one(8) {
		call = pick(w, 0, 1_000, 1_500_000, uint64(29_500_000))
	}
	op.AccountGasLimits = entrypoint.PackUint128s(verification, call)
	fee := pick(w, 1_000_000_000, 2_000_000_000, uint64(0))
	op.GasFees = entrypoint.PackUint128s(pick(w, fee, fee/2), fee)
	if w.one(40) {
		op.GasFees = entrypoint.PackUint128s(1, 1<<60)
	}
	if w.one(40) {
		op.PreVerificationGas = new(big.Int).Lsh(common.Big1, 120)
	}
	return op
}

// nonce returns one of some keys, which a bundle may have twice, mostly with the sequence that is due.
func (w *twins) nonce() *big.Int {
	nonce := new(big.Int).Lsh(big.NewInt(w.random.Int64N(50)), 64)
	if w.one(20) {
		nonce.Add(nonce, common.Big1)
	}
	return nonce
}

// acting returns an act, the word that is answered, and further data. The acts given come as often as all others
// together.
func (w *twins) acting(rarity int, acts ...byte) []byte {
	data := make([]byte, 33)
	if w.one(rarity) {
		data[0] = pick(w, append(acts, 10, 11, 12, 13, 14, 15, 16, 17, 18)...)
	}
	if w.one(12) {
		copy(data[1:], w.validity())
	}
	return data
}

// validity returns the answer of an account or paymaster: an aggregator or 1, and a range of times or of blocks.
func (w *twins) validity() []byte {
	word := new(big.Int)
	if w.one(3) {
		word.SetBytes(pick(w, common.Address{19: 1}, factory).Bytes())
	}
	now := uint64(contracttest.StartTime)
	const blocks = 1 << 47
	// Exactly the first number of blocks is another time in v0.9 and in its release candidate.
	until := pick(w, 0, 0, now, now-1, now+1, blocks|1, blocks|2, uint64(1<<48-1))
	after := pick(w, 0, 0, now, now-1, now+1, blocks|2, blocks|1, uint64(blocks|3))
	word.Or(word, new(big.Int).Lsh(new(big.Int).SetUint64(until), 160))
	word.Or(word, new(big.Int).Lsh(new(big.Int).SetUint64(after), 208))
	return common.BigToHash(word).Bytes()
}

// initCode mostly returns nothing, else the init code of a new account, whose address becomes the sender, or of a
// delegated one.
func (w *twins) initCode(sender *common.Address) []byte {
	switch w.random.IntN(16) {
	case 0, 1:
		salt := common.Hash{31: byte(w.random.IntN(8))}
		what := uint8(0)
		if w.one(3) {
			what = pick[uint8](w, 10, 11, 12, 13, 15, 20, 21)
		}
		if !w.one(8) {
			*sender = made(salt)
		}
		if w.one(12) { // says that it made an account, and did not
			what, *sender, salt = 22, codeless, common.BytesToHash(codeless[:])
		}
		return append(factory.Bytes(), pack("make", what, [32]byte(salt))...)
	case 2:
		marker := append([]byte{0x77, 0x02}, make([]byte, pick(w, 0, 3, 18))...)
		if len(marker) == 20 && w.one(2) {
			what := pick[uint8](w, 0, 0, 10, 11, 12, 14)
			marker = append(marker, pack("execute", what, common.Address{}, []byte(nil))...)
		}
		if !w.one(6) {
			*sender = delegated.Address
		}
		return marker
	case 3:
		if w.one(3) {
			return pick(w, []byte{1}, make([]byte, 19), codeless.Bytes(), factory.Bytes())
		}
	}
	return nil
}

func pack(method string, arguments ...any) []byte {
	data, err := actor.Pack(method, arguments...)
	if err != nil {
		panic(err) // the arguments are of the test
	}
	return data
}

// call returns an account's call.
func (w *twins) call() []byte {
	what := uint8(0)
	if w.one(3) {
		what = pick[uint8](w, 10, 11, 12, 13, 14, 17, 18)
	}
	switch w.random.IntN(6) {
	case 0:
		return nil
	case 1:
		return append(actor.Methods["executeUserOp"].ID, what)
	case 2: // into the EntryPoint
		data := pick(w,
			w.handleOps(nil, beneficiary), v07.PackWithdrawTo(beneficiary, big.NewInt(1000)), v07.PackAddStake(1), v07.PackUnlockStake(),
			v07.PackWithdrawTo(beneficiary, new(big.Int).Lsh(common.Big1, 70)), v09.PackGetCurrentUserOpHash(), v07.PackIncrementNonce(big.NewInt(3)),
			v07.PackGetNonce(rich, common.Big0), v09.GetABI().Methods["innerHandleOp"].ID,
		)
		return pack("execute", what, w.version.address, data)
	default:
		return pack("execute", what, common.Address{}, []byte(nil))
	}
}

// paymaster returns data of a paymaster, or none half of the time.
func (w *twins) paymaster() []byte {
	if w.one(2) {
		return nil
	}
	if w.one(20) {
		strange := [][]byte{make([]byte, 10), make([]byte, 52), sponsor.Bytes()}
		if w.version.name != "0.9" { // the release candidate has no AA35
			strange = append(strange, append(codeless.Bytes(), make([]byte, 70)...))
		}
		return pick(w, strange...)
	}
	address := pick(w, sponsor, sponsor, sponsor, sponsor, sponsor, sponsor, sponsor, broke)
	verification, postOp := uint64(400_000), uint64(300_000)
	if w.one(20) {
		verification = pick(w, 0, uint64(1_000))
	}
	if w.one(10) {
		postOp = pick(w, 0, 1_000, uint64(20_000))
	}
	limits := entrypoint.PackUint128s(verification, postOp)
	data := append(append(address.Bytes(), limits[:]...), w.acting(10)...)
	// The published v0.8 does not check the length of a context, and the release candidate of v0.9 does not have AA35.
	if act := &data[52]; (w.version.name == "0.8" && *act == 16) || (w.version.name == "0.9" && (*act == 15 || *act == 16)) {
		*act = 10
	}
	switch w.random.IntN(4) {
	case 0: // no context, so no postOp
	case 1:
		data = append(data, pick[byte](w, 10, 11, 12, 13, 14, 17, 18), pick[byte](w, 0, 1, 0xff))
	default:
		data = append(data, 0, 0)
	}
	if w.version.name == "0.9" && w.one(3) {
		data = append(data, make([]byte, w.random.IntN(3))...)
		data = append(data, 0, byte(pick(w, 0, 1, 2, 3, 200)))
		data = append(data, common.FromHex("22e325a297439656")...)
	}
	return data
}
