package optimism

import (
	"errors"
	"fmt"
	"maps"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
)

// Precompiles that an Upgrade limits or prices.
var (
	bn256Pairing = common.BytesToAddress([]byte{0x08})
	g1MSM        = common.BytesToAddress([]byte{0x0c})
	g2MSM        = common.BytesToAddress([]byte{0x0e})
	blsPairing   = common.BytesToAddress([]byte{0x0f})
	p256Verify   = common.BytesToAddress([]byte{0x01, 0x00})
)

// p256Gas is the price of P256VERIFY in gas before Osaka, where it came with Fjord.
const p256Gas = 3_450

// ErrInputTooLong is returned by a precompile for more input than the Upgrade accepts.
var ErrInputTooLong = errors.New("input of the precompile is too long")

// inputs are the most bytes that precompiles accept. With more the call fails and uses up all its gas.
type inputs map[common.Address]int

// newUpgrade returns u with precompiles that accept at most these inputs.
func newUpgrade(most inputs, u Upgrade) *Upgrade {
	u.beforeOsaka = sync.OnceValue(func() vm.PrecompiledContracts {
		contracts := maps.Clone(vm.PrecompiledContractsPrague)
		contracts[p256Verify] = priced{vm.PrecompiledContractsOsaka[p256Verify], p256Gas}
		return most.limit(contracts)
	})
	u.fromOsaka = sync.OnceValue(func() vm.PrecompiledContracts {
		return most.limit(maps.Clone(vm.PrecompiledContractsOsaka))
	})
	return &u
}

// Precompiles returns the precompiled contracts of blocks with these rules, which must be of prague or a later hard
// fork. All callers get the same map: do not modify it.
func (u *Upgrade) Precompiles(rules params.Rules) vm.PrecompiledContracts {
	if rules.IsOsaka {
		return u.fromOsaka()
	}
	return u.beforeOsaka()
}

// limit puts the limits on input into contracts and returns them.
func (i inputs) limit(contracts vm.PrecompiledContracts) vm.PrecompiledContracts {
	for address, most := range i {
		contracts[address] = limited{contracts[address], most}
	}
	return contracts
}

// limited is a precompile that accepts at most that many bytes.
type limited struct {
	vm.PrecompiledContract
	most int
}

// Run returns ErrInputTooLong for more bytes than are accepted.
func (l limited) Run(input []byte) ([]byte, error) {
	if len(input) > l.most {
		return nil, fmt.Errorf("%w: %d bytes, limit %d", ErrInputTooLong, len(input), l.most)
	}
	return l.PrecompiledContract.Run(input)
}

// priced is a precompile with a price of its own, in gas.
type priced struct {
	vm.PrecompiledContract
	gas uint64
}

// RequiredGas returns the price.
func (p priced) RequiredGas([]byte) uint64 { return p.gas }
