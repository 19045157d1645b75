package bundler

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/bundler/erc7562"
)

// watch returns what watches the validation of the operation, or nil where the rules are loose.
func (b *bundle) watch() *erc7562.Watch {
	if b.Network.BundlerRules == api.LooseBundler {
		return nil
	}
	deployer, _ := b.factory()
	return erc7562.New(erc7562.Operation{
		EntryPoint: b.version.address, Creator: b.version.creator, Sender: *b.Sender, Factory: deployer, Paymaster: b.paymaster(),
	})
}

// obeys returns an error that names the first rule that the validation broke, unless a stake excuses it.
func (b *bundle) obeys(w *erc7562.Watch) error {
	for _, v := range w.Violations() {
		staked, err := b.anyStaked(w.Operation(), v.Staked)
		if err != nil {
			return err
		}
		if !staked {
			return b.broken(v)
		}
	}
	return nil
}

// broken returns the error of an operation whose validation breaks a rule.
func (b *bundle) broken(v erc7562.Violation) error {
	remedy := v.Remedy
	if len(v.Staked) > 0 {
		remedy += fmt.Sprintf(", or lock a stake of the %s at the EntryPoint for a day: addStake(%d)", v.Staked[0], uint(minStakeDelay))
	}
	err := api.Errorf(codeRules, "[%s] %s %s %s (%s; --bundler-rules loose allows it)", v.Rule, v.Entity, v.Address, v.Did, remedy)
	err.Data = brokenObject{v.Rule, v.Entity, v.Address}
	return err
}

// brokenObject is the data of the error of a broken rule.
type brokenObject struct {
	Rule    string         `json:"rule"`
	Entity  erc7562.Entity `json:"entity"`
	Address common.Address `json:"address"`
}

// minStakeDelay is for how long a stake has to be locked, in seconds (SREP-010). Any amount is enough.
const minStakeDelay = 86_400

// anyStaked reports whether one of the operation's entities has a stake in the block being built.
func (b *bundle) anyStaked(op *erc7562.Operation, entities []erc7562.Entity) (bool, error) {
	if len(entities) == 0 {
		return false, nil
	}
	view, err := b.CallView(api.BlockTag{Kind: api.TagPending})
	if err != nil {
		return false, err
	}
	for _, e := range entities {
		call := simulate.Call{To: &b.version.address, Data: entrypoint.PackGetDepositInfo(op.Address(e))}
		result, err := simulate.RunCall(b.Ctx, view, call, nil, nil, b.CallLimits())
		if err != nil {
			return false, api.Refused(err)
		}
		stake, err := entrypoint.UnpackStake(result.ReturnData)
		if err == nil && stake.Locked && stake.Wei.Sign() > 0 && stake.Delay >= minStakeDelay {
			return true, nil
		}
	}
	return false, nil
}
