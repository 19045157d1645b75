package optimism

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
)

// Rules are the rules of an OP-stack chain: its upgrade, and the parameters of the base fee.
type Rules struct {
	Upgrade *Upgrade
	BaseFeeRules
	// BaseFeeScalar and BlobBaseFeeScalar are the scalars of the L1 fee in DefaultL1. Zero: Base's.
	BaseFeeScalar, BlobBaseFeeScalar uint32
}

// BaseFeeRules are the parameters of the base fee, which the extra data of every header repeats.
type BaseFeeRules struct {
	Denominator uint32 // a block changes the base fee by at most (Elasticity-1)/Denominator
	Elasticity  uint32 // a block's target is its gas limit divided by this
	MinBaseFee  uint64 // wei; the base fee does not fall below
}

// DefaultRules returns the rules of an upgrade with its own parameters of the base fee.
func (u *Upgrade) DefaultRules() *Rules { return &Rules{Upgrade: u, BaseFeeRules: u.Fees} }

const (
	extraSize    = 17 // bytes
	extraVersion = 1  // Jovian
)

// ExtraData returns the extra data of a header: version, denominator, elasticity and least base fee.
func (r BaseFeeRules) ExtraData() []byte {
	extra := make([]byte, 0, extraSize)
	extra = append(extra, extraVersion)
	extra = binary.BigEndian.AppendUint32(extra, r.Denominator)
	extra = binary.BigEndian.AppendUint32(extra, r.Elasticity)
	return binary.BigEndian.AppendUint64(extra, r.MinBaseFee)
}

// RulesIn returns the rules of an upgrade with the parameters in a header's extra data, or nil if it has none.
func RulesIn(extra []byte, upgrade *Upgrade) *Rules {
	if len(extra) != extraSize || extra[0] != extraVersion {
		return nil
	}
	r := &Rules{Upgrade: upgrade, BaseFeeRules: BaseFeeRules{
		Denominator: binary.BigEndian.Uint32(extra[1:]),
		Elasticity:  binary.BigEndian.Uint32(extra[5:]),
		MinBaseFee:  binary.BigEndian.Uint64(extra[9:]),
	}}
	if r.Denominator == 0 || r.Elasticity == 0 {
		return nil
	}
	return r
}

// After returns the parameters that a block after parent has, unless the operator sets others.
func (r *Rules) After(parent *types.Header) BaseFeeRules {
	if said := RulesIn(parent.Extra, r.Upgrade); said != nil {
		return said.BaseFeeRules
	}
	return r.BaseFeeRules
}

// NextBaseFee returns the base fee in wei of the block after parent: EIP-1559 with the parameters in the parent's extra
// data, for the larger of its gas and its DA footprint, and never below the least base fee.
func (r *Rules) NextBaseFee(parent *types.Header) *big.Int {
	rules := r.After(parent)
	used := parent.GasUsed
	if parent.BlobGasUsed != nil {
		used = max(used, *parent.BlobGasUsed)
	}
	fee := new(big.Int).Set(parent.BaseFee)
	target := parent.GasLimit / uint64(rules.Elasticity)
	if target > 0 && used != target {
		difference := new(big.Int).SetUint64(max(used, target) - min(used, target))
		difference.Mul(difference, parent.BaseFee)
		difference.Div(difference, new(big.Int).SetUint64(target))
		difference.Div(difference, new(big.Int).SetUint64(uint64(rules.Denominator)))
		if used > target {
			if difference.Sign() == 0 {
				difference.SetUint64(1)
			}
			fee.Add(fee, difference)
		} else {
			fee.Sub(fee, difference)
		}
	}
	if least := new(big.Int).SetUint64(rules.MinBaseFee); fee.Cmp(least) < 0 {
		return least
	}
	return fee
}

// Upgrade holds the differences between the rules of OP-stack upgrades. The table below is the only place that has
// them.
type Upgrade struct {
	// Name is the value of Config.Rules for the upgrade, in lower case.
	Name string
	// Hardfork names the hard fork of Ethereum whose EVM the upgrade has. It decides the prices of MODEXP and P256VERIFY,
	// the instructions, and whether the gas of a transaction is limited (EIP-7825).
	Hardfork string
	// BlockTime is the distance of two blocks, which then have a time in milliseconds (BaseTimeDeposit) and no
	// flashblocks. Zero: any distance, times in whole seconds.
	BlockTime time.Duration
	// GasLimit of a genesis, in gas. Zero: the chain decides.
	GasLimit uint64
	// Fees of the rules unless others are set.
	Fees BaseFeeRules
	// FootprintScalar is the gas for each byte of data in DefaultL1.
	FootprintScalar uint16
	// GasRefund is the gas that the sequencer gives back to the sender of each signed transaction, which the last
	// transaction of the block lists (PostExec). Zero: blocks have no such transaction.
	GasRefund uint64

	beforeOsaka, fromOsaka func() vm.PrecompiledContracts
}

var (
	jovianInputs = inputs{bn256Pairing: 81_984, g1MSM: 288_960, g2MSM: 278_784, blsPairing: 156_672}
	karstInputs  = inputs{bn256Pairing: 57_600, g1MSM: 288_960, g2MSM: 278_784, blsPairing: 156_672}
)

// jovianFees are Base's of December 2025, rounded. denimFees are those of today.
var (
	jovianFees = BaseFeeRules{Denominator: 250, Elasticity: 6, MinBaseFee: 200_000}
	denimFees  = BaseFeeRules{Denominator: 1000, Elasticity: 5, MinBaseFee: 5_000_000}
)

// The supported upgrades, oldest first.
var (
	// Jovian is the upgrade of all OP-stack chains in December 2025.
	Jovian = newUpgrade(jovianInputs, Upgrade{
		Name: "jovian", Hardfork: "prague", Fees: jovianFees, FootprintScalar: defaultFootprintScalar,
	})
	// Azul is Base's upgrade of May 2026. Base's next ones, Beryl and Cobalt, change nothing in these rules.
	Azul = newUpgrade(jovianInputs, Upgrade{
		Name: "azul", Hardfork: "osaka", Fees: jovianFees, FootprintScalar: defaultFootprintScalar,
	})
	// Karst is the upgrade of OP Mainnet in July 2026 and of the chains that follow it.
	Karst = newUpgrade(karstInputs, Upgrade{
		Name: "karst", Hardfork: "osaka", Fees: jovianFees, FootprintScalar: defaultFootprintScalar,
	})
	// Denim is Base's upgrade of November 2026.
	Denim = newUpgrade(jovianInputs, Upgrade{
		Name: "denim", Hardfork: "osaka", BlockTime: 200 * time.Millisecond, GasLimit: 40_000_000, Fees: denimFees, FootprintScalar: 148,
	})

	// Lagoon is the upgrade of OP Mainnet that has no date yet: Karst with the transaction that lists gas refunds. How
	// much it refunds is up to the sequencer: here it is what an account costs less that an earlier transaction has
	// touched.
	Lagoon = newUpgrade(karstInputs, Upgrade{
		Name: "lagoon", Hardfork: "osaka", Fees: jovianFees, FootprintScalar: defaultFootprintScalar, GasRefund: 2500,
	})

	// Upgrades are all of them.
	Upgrades = []*Upgrade{Jovian, Azul, Karst, Denim, Lagoon}
)

// UpgradeNamed returns the upgrade with that name. The error lists the names.
func UpgradeNamed(name string) (*Upgrade, error) {
	var names []string
	for _, u := range Upgrades {
		if u.Name == name {
			return u, nil
		}
		names = append(names, u.Name)
	}
	return nil, fmt.Errorf("rules %q are none of an OP-stack chain: want %s", name, strings.Join(names, ", "))
}

// HasSystemContract reports whether an OP-stack chain has the system contract of that name (EIP-7910). There are no
// validators, so the contracts of their requests are not used.
func HasSystemContract(name string) bool {
	return name == "BEACON_ROOTS_ADDRESS" || name == "HISTORY_STORAGE_ADDRESS"
}
