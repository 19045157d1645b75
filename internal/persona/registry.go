package persona

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/l1"
)

// entry holds the values that a node takes of an entry of the superchain registry, superchain/configs/mainnet/ink.toml
// for one.
type entry struct {
	ChainID   uint64 `toml:"chain_id"`
	BlockTime uint64 `toml:"block_time"` // seconds
	Hardforks map[string]any
	Optimism  struct {
		Elasticity  uint32 `toml:"eip1559_elasticity"`
		Denominator uint32 `toml:"eip1559_denominator_canyon"`
	}
	Genesis struct {
		SystemConfig struct {
			Scalar   common.Hash
			GasLimit uint64
		} `toml:"system_config"`
	}
	Addresses struct {
		Portal         common.Address `toml:"OptimismPortalProxy"`
		StandardBridge common.Address `toml:"L1StandardBridgeProxy"`
		Messenger      common.Address `toml:"L1CrossDomainMessengerProxy"`
		Factory        common.Address `toml:"DisputeGameFactoryProxy"`
		Registry       common.Address `toml:"AnchorStateRegistryProxy"`
		SystemConfig   common.Address `toml:"SystemConfigProxy"`
	}
}

// scalarsVersion is the first byte of a scalar that is two: of the L1 base fee and of the blob base fee.
const scalarsVersion = 1

// readEntry reads an entry of the superchain registry. What it does not say is Optimism's.
func readEntry(text []byte, at time.Time) (p Persona, err error) {
	var e entry
	if err := toml.Unmarshal(text, &e); err != nil {
		return p, fmt.Errorf("neither a JSON object nor an entry of the superchain registry: %w", err)
	}
	if e.ChainID == 0 {
		return p, errors.New("chain_id: missing: want the id of the chain")
	}
	if p.Rules, err = e.rules(at); err != nil {
		return p, fmt.Errorf("hardforks: %w", err)
	}
	system := e.Genesis.SystemConfig
	p.ChainID, p.GasLimit, p.BlockTime = e.ChainID, system.GasLimit, time.Duration(e.BlockTime)*time.Second
	p.Fees.Elasticity, p.Fees.Denominator = e.Optimism.Elasticity, e.Optimism.Denominator
	if scalar := system.Scalar.Big(); system.Scalar[0] == scalarsVersion {
		p.L1Scalars = [2]uint32{uint32(scalar.Uint64()), uint32(scalar.Uint64() >> 32)}
	}
	p.Bridge.At = l1.Addresses(e.Addresses)
	p.Fill(Optimism)
	return p, nil
}

// rules returns the newest upgrade that has begun at a time.
func (e *entry) rules(at time.Time) (rules string, err error) {
	var since int64 = -1
	begun := func(fork string) bool {
		time, is := e.Hardforks[fork].(int64)
		return is && time <= at.Unix() && time >= since
	}
	var known []string
	for _, upgrade := range optimism.Upgrades {
		fork := upgrade.Name + "_time"
		if known = append(known, fork); begun(fork) {
			rules, since = upgrade.Name, e.Hardforks[fork].(int64)
		}
	}
	for fork := range e.Hardforks {
		if rules == "" || begun(fork) && e.Hardforks[fork].(int64) > since {
			return "", fmt.Errorf("the newest that has begun by %s is none of %s", at.UTC().Format(time.DateOnly), strings.Join(known, ", "))
		}
	}
	return rules, nil
}
