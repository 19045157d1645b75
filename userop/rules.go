package userop

import (
	"fmt"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/userop/erc7562"
)

// watch returns a Watch for the validation of the operation, or nil if the rules are loose.
func (b *Bundle) watch() *erc7562.Watch {
	if b.bundler.Loose {
		return nil
	}
	deployer, _ := b.op.factory()
	return erc7562.New(erc7562.Operation{
		EntryPoint: b.entry.Address, Creator: b.entry.creator, Sender: *b.op.Sender, Factory: deployer, Paymaster: b.op.paymaster(),
	})
}

// obeys returns an error that names the first rule that the validation broke without a stake that excuses it, or nil.
func (b *Bundle) obeys(w *erc7562.Watch) error {
	for _, v := range w.Violations() {
		staked, err := b.anyStaked(w.Operation(), v.Staked)
		if err != nil {
			return err
		}
		if !staked {
			return broken(v)
		}
	}
	return nil
}

// broken returns the error of an operation whose validation breaks a rule.
func broken(v erc7562.Violation) error {
	remedy := v.Remedy
	if len(v.Staked) > 0 {
		remedy += fmt.Sprintf(", or lock a stake of the %s at the EntryPoint for a day: addStake(%d)", v.Staked[0], uint(minStakeDelay))
	}
	err := refusedFor(BreaksRule, "[%s] %s %s %s (%s; --bundler-rules loose allows it)", v.Rule, v.Entity, v.Address, v.Did, remedy)
	err.Data = v
	return err
}

// minStakeDelay is the time that a stake must be locked, in seconds (SREP-010). Any amount is enough.
const minStakeDelay = 86_400

// anyStaked reports whether one of the operation's entities has a stake in the block being built.
func (b *Bundle) anyStaked(op *erc7562.Operation, entities []erc7562.Entity) (bool, error) {
	for _, e := range entities {
		results, err := b.bundler.Run(nil, simulate.Call{To: &b.entry.Address, Data: entrypoint.PackGetDepositInfo(op.Address(e))})
		if err != nil {
			return false, err
		}
		stake, err := entrypoint.UnpackStake(results[0].ReturnData)
		if err == nil && stake.Locked && stake.Wei.Sign() > 0 && stake.Delay >= minStakeDelay {
			return true, nil
		}
	}
	return false, nil
}
