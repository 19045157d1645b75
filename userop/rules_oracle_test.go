package userop_test

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	_ "github.com/fakenode/fakenode/tracers"
)

// tracedFrame is a call as go-ethereum's erc7562Tracer answers it.
type tracedFrame struct {
	Type          string
	From, To      common.Address
	Input, Output hexutil.Bytes
	Value         *hexutil.Big
	OutOfGas      bool
	UsedOpcodes   map[string]uint64
	ContractSize  map[common.Address]struct{ ContractSize int }
	ExtCode       []common.Address `json:"extCodeAccessInfo"`
	Slots         struct {
		Reads           map[common.Hash][]common.Hash
		Writes          map[common.Hash]uint64
		TransientReads  map[common.Hash]uint64
		TransientWrites map[common.Hash]uint64
	} `json:"accessedSlots"`
	Keccak []hexutil.Bytes
	Calls  []tracedFrame
}

// oracle checks a trace after the execution, like a bundler that uses a go-ethereum node. It knows kinds of violations.
type oracle struct {
	parts
	entryPoint, creator common.Address
	keccak              []hexutil.Bytes
	staked              string
	found               map[string]bool
}

// kinds are the kinds of our rules.
var kinds = map[string]string{
	"OP-011": "opcode", "OP-012": "opcode", "OP-013": "opcode", "OP-031": "opcode", "OP-080": "opcode",
	"STO-021": "storage", "STO-022": "storage", "STO-031": "storage", "STO-032": "storage", "STO-033": "storage",
}

// check checks a frame of an entity and the frames inside it. name is empty for the EntryPoint; context is the account
// whose storage the frame uses.
func (o *oracle) check(f tracedFrame, entity, context common.Address, name string) {
	switch {
	case f.From == o.entryPoint && f.To == o.entryPoint:
		return
	case f.From == o.entryPoint && f.To == o.sender || f.From == o.creator && f.To == o.sender:
		entity, name = f.To, "sender"
	case f.From == o.creator:
		entity, name = f.To, "factory"
	case f.From == o.entryPoint && f.To == o.paymaster:
		entity, name = f.To, "paymaster"
	}
	if name != "" && f.To != o.entryPoint {
		o.frame(f, entity, context, name)
	}
	if name != "" && f.To == o.entryPoint {
		o.enters(f)
	}
	for _, call := range f.Calls {
		if f.To == o.entryPoint && name != "" {
			continue
		}
		inside := call.To
		if call.Type == "DELEGATECALL" {
			inside = context
		}
		o.check(call, entity, inside, name)
	}
}

// enters checks a call of the EntryPoint.
func (o *oracle) enters(f tracedFrame) {
	deposits := bytes.HasPrefix(f.Input, common.FromHex("0xb760faf9")) && common.BytesToAddress(f.Input[4:]) == o.sender
	increments := bytes.HasPrefix(f.Input, common.FromHex("0x0bd28e3b")) || len(f.Input) == 0
	if f.Type != "CALL" || !deposits && !increments || f.From != o.sender && !(deposits && f.From == o.factory) {
		o.found["OP-054"] = true
	}
}

func (o *oracle) frame(f tracedFrame, entity, context common.Address, name string) {
	o.found["OP-020"] = o.found["OP-020"] || f.OutOfGas
	for code := range f.UsedOpcodes {
		n, _ := hexutil.DecodeUint64(code)
		switch op := vm.OpCode(n); op {
		case vm.ORIGIN, vm.GASPRICE, vm.BLOCKHASH, vm.COINBASE, vm.TIMESTAMP, vm.NUMBER, vm.PREVRANDAO, vm.GASLIMIT, vm.BASEFEE, vm.BLOBHASH,
			vm.BLOBBASEFEE, vm.INVALID, vm.SELFDESTRUCT, vm.GAS:
			o.found["opcode"] = true
		case vm.BALANCE, vm.SELFBALANCE:
			o.found["opcode"] = o.found["opcode"] || o.staked != name
		default:
			o.found["opcode"] = o.found["opcode"] || strings.Contains(op.String(), "not defined")
		}
	}
	if f.Type == "CREATE" || f.Type == "CREATE2" {
		mine := o.factory != common.Address{} && (f.Type == "CREATE" && f.From == o.sender || f.Type == "CREATE2" && f.To == o.sender && name == "factory")
		staked := o.staked == "factory" && (f.From == o.sender || f.From == o.factory)
		o.found["opcode"] = o.found["opcode"] || !mine && !staked
	}
	if f.Type == "CALL" && f.Value != nil && f.Value.ToInt().Sign() > 0 && f.To != entity {
		o.found["OP-061"] = true
	}
	for account, size := range f.ContractSize {
		number := new(uint256.Int).SetBytes(account[:])
		switch {
		case account == o.sender || account == o.entryPoint || size.ContractSize > 0 && size.ContractSize != 23:
		case size.ContractSize == 23:
			o.found["AUTH-030"] = true
		case number.GtUint64(0x11) && number.LtUint64(1000) && !number.Eq(uint256.NewInt(0x100)):
			o.found["OP-062"] = true
		case number.IsZero() || !number.LtUint64(1000):
			o.found["OP-041"] = true
		}
	}
	o.found["OP-054"] = o.found["OP-054"] || slices.Contains(f.ExtCode, o.entryPoint)
	if name == "paymaster" && f.From == o.entryPoint && len(f.Output) > 96 && o.staked != name {
		o.found["EREP-050"] = true
	}
	reads, writes := map[common.Hash]bool{}, map[common.Hash]bool{}
	for slot := range f.Slots.Reads {
		reads[slot] = true
	}
	for slot := range f.Slots.TransientReads {
		reads[slot] = true
	}
	for slot := range f.Slots.Writes {
		writes[slot] = true
	}
	for slot := range f.Slots.TransientWrites {
		writes[slot] = true
	}
	for slot := range reads {
		o.slot(slot, entity, context, name, false)
	}
	for slot := range writes {
		o.slot(slot, entity, context, name, true)
	}
}

func (o *oracle) slot(slot common.Hash, entity, context common.Address, name string, write bool) {
	created, staked := o.factory != common.Address{}, o.staked == name
	switch {
	case context == o.sender:
	case o.associated(o.sender, slot) && (!created || o.staked == "factory"):
	case staked && (context == entity || o.associated(entity, slot) || !write):
	default:
		o.found["storage"] = true
	}
}

func (o *oracle) associated(account common.Address, slot common.Hash) bool {
	n := new(uint256.Int).SetBytes(slot[:])
	if slot == common.BytesToHash(account[:]) {
		return true
	}
	for _, preimage := range o.keccak {
		if bytes.HasPrefix(preimage, common.BytesToHash(account[:]).Bytes()) {
			base := new(uint256.Int).SetBytes(crypto.Keccak256(preimage))
			if !n.Lt(base) && new(uint256.Int).Sub(n, base).LtUint64(129) {
				return true
			}
		}
	}
	return false
}

// Ensure the bundler rejects exactly the operations that a bundler with go-ethereum's tracer for ERC-7562 would reject,
// for the same kind of reason, in random validations.
func TestBundlerRulesOracle(t *testing.T) {
	t.Parallel()
	cases := laboratory.Budget(t, 30, 150)
	for version, creator := range map[string]common.Address{
		"0.6": entrypoint.V06SenderCreatorAddress, "0.7": entrypoint.V07SenderCreatorAddress,
		"0.8": entrypoint.V08SenderCreatorAddress, "0.9": entrypoint.V09SenderCreatorAddress,
	} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			r := newRuled(t, version, fakenode.Config{})
			random := rand.New(rand.NewPCG(7562, 1))
			refused := 0
			for range cases {
				p, c := r.randomCase(random)
				o := oracle{parts: p, entryPoint: r.entryPoint, creator: creator, staked: c.staked, found: map[string]bool{}}
				err := r.send(p)
				var trace tracedFrame
				r.do(&trace, "debug_traceCall", object{"from": r.Account(9).Address, "to": r.entryPoint, "input": r.bundle(p), "gas": "0x400000"}, "latest",
					object{"tracer": "erc7562Tracer"})
				o.keccak = trace.Keccak
				o.check(trace, common.Address{}, r.entryPoint, "")
				var found []string
				for kind, yes := range o.found {
					if yes {
						found = append(found, kind)
					}
				}
				if err == nil {
					require.Empty(t, found)
					continue
				}
				refused++
				require.Equal(t, -32502, err.(rpc.Error).ErrorCode(), err)
				rule := err.(rpc.DataError).ErrorData().(object)["rule"].(string)
				if kind, ok := kinds[rule]; ok {
					rule = kind
				}
				require.Contains(t, found, rule, err)
			}
			require.Greater(t, refused, cases/4)
			require.Less(t, refused, cases-cases/15)
		})
	}
}

// bundle returns the call of handleOps that the bundler would send for an operation of send.
func (r *ruled) bundle(p parts) hexutil.Bytes {
	if r.version == "0.6" {
		op := entrypoint.UserOperation{
			Sender: p.sender, Nonce: new(big.Int), CallGasLimit: big.NewInt(0x10000), VerificationGasLimit: big.NewInt(0x80000),
			PreVerificationGas: big.NewInt(0x10000), MaxFeePerGas: new(big.Int), MaxPriorityFeePerGas: new(big.Int),
		}
		if p.factory != (common.Address{}) {
			op.InitCode = append(p.factory.Bytes(), 0)
		}
		if p.paymaster != (common.Address{}) {
			op.PaymasterAndData = p.paymaster.Bytes()
		}
		return entrypoint.PackHandleOps(r.Account(9).Address, op)
	}
	op := entrypoint.PackedUserOperation{
		Sender: p.sender, Nonce: new(big.Int), AccountGasLimits: entrypoint.PackUint128s(0x80000, 0x10000), PreVerificationGas: big.NewInt(0x10000),
	}
	if p.factory != (common.Address{}) {
		op.InitCode = append(p.factory.Bytes(), 0)
	}
	if p.paymaster != (common.Address{}) {
		limits := entrypoint.PackUint128s(0x80000, 0x10000)
		op.PaymasterAndData = append(p.paymaster.Bytes(), limits[:]...)
	}
	return entrypoint.PackHandlePackedOps(r.Account(9).Address, op)
}

// randomCase puts a validation onto the chain that combines up to three validations of ruleCases in each entity.
func (r *ruled) randomCase(random *rand.Rand) (parts, ruleCase) {
	all := ruleCases()
	var names []string
	for name, c := range all {
		if c.helper == nil && c.context == 0 { // one helper serves them all
			names = append(names, name)
		}
	}
	slices.Sort(names)
	mixed := func(of func(ruleCase) func(*ruled) *program.Program) func(*ruled) *program.Program {
		var chosen []ruleCase
		for range random.IntN(4) {
			chosen = append(chosen, all[names[random.IntN(len(names))]])
		}
		return func(r *ruled) *program.Program {
			whole := program.New()
			for _, c := range chosen {
				if make := of(c); make != nil {
					whole.Append(make(r).Bytes())
				}
			}
			return whole
		}
	}
	c := ruleCase{sender: mixed(func(c ruleCase) func(*ruled) *program.Program { return c.sender }), delay: 86_400}
	if random.IntN(2) == 0 {
		c.factory = mixed(func(c ruleCase) func(*ruled) *program.Program { return c.factory })
	}
	if random.IntN(2) == 0 {
		c.paymaster = mixed(func(c ruleCase) func(*ruled) *program.Program { return c.paymaster })
	}
	c.staked = []string{"", "", "sender", "factory", "paymaster"}[random.IntN(5)]
	if c.factory != nil && c.staked == "sender" || c.factory == nil && c.staked == "factory" || c.paymaster == nil && c.staked == "paymaster" {
		c.staked = "" // the account does not exist yet
	}
	return r.make(c), c
}
