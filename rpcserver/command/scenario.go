package command

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/scenario"
)

// scenarioParams are a scenario.Params.
type scenarioParams struct {
	api.ControlObject `wanted:"{payer?, merchant?, amount?, depth?, times?, stepMs?}"`

	Payer    count  `json:"payer"`
	Merchant count  `json:"merchant"`
	Amount   string `json:"amount"`
	Depth    count  `json:"depth"`
	Times    count  `json:"times"`
	StepMs   count  `json:"stepMs"`
}

// check rejects what no scenario can be played with.
func (p *scenarioParams) check(accounts int) error {
	switch {
	case p.Depth > scenario.MaxDepth:
		return fmt.Errorf("depth %d is outside 1 to %d", p.Depth, scenario.MaxDepth)
	case p.Times > scenario.MaxTimes:
		return fmt.Errorf("times %d is outside 1 to %d", p.Times, scenario.MaxTimes)
	case p.StepMs.milliseconds() > scenario.MaxStep:
		return fmt.Errorf("stepMs %d is outside 0 to %d", p.StepMs, scenario.MaxStep.Milliseconds())
	case int(max(p.Payer, p.Merchant)) >= accounts:
		return fmt.Errorf("account %d: the node has accounts 0 to %d", max(p.Payer, p.Merchant), accounts-1)
	case p.Payer == p.Merchant && p.Payer != 0:
		return errors.New("payer and merchant are the same account")
	}
	_, err := fixtures.ParseUSD(cmp.Or(p.Amount, "1"))
	return err
}

// staged returns a scenario, and what to play it with.
func staged(r *api.Request, name string, given *scenarioParams) (found scenario.Scenario, stage scenario.Stage, p scenario.Params, err error) {
	if found, err = scenario.Find(name); err != nil {
		return found, stage, p, r.BadInput(err)
	}
	if given != nil {
		if err := given.check(len(r.Network.Accounts)); err != nil {
			return found, stage, p, r.BadInput(err)
		}
		p = scenario.Params{
			Payer: int(given.Payer), Merchant: int(given.Merchant), Amount: given.Amount, Depth: int(given.Depth), Times: int(given.Times), Step: given.StepMs.milliseconds(),
		}
	}
	domain, err := payToken(r).Domain(r.Ctx)
	return found, scenario.Stage{Timeline: r.Network.Timeline, Accounts: r.Network.Accounts, Token: domain, Stale: r.Network.Stale, Hide: r.Network.Hide}, p, err
}

// Scenario serves fakenode_scenario: plays a named course of events and answers what a correct client must conclude.
func Scenario(r *api.Request, name string, given *scenarioParams) (any, error) {
	found, stage, p, err := staged(r, name, given)
	if err != nil {
		return nil, err
	}
	conclusion, err := found.Play(r.Ctx, stage, p)
	return conclusion, r.BadInput(err)
}

// StartScenario serves fakenode_scenarioStart: begins to tell a scenario move by move, in place of one that is not over
// yet, and answers its id.
func StartScenario(r *api.Request, name string, given *scenarioParams) (any, error) {
	found, stage, p, err := staged(r, name, given)
	if err != nil {
		return nil, err
	}
	return r.Network.Story.Begin(found.Tell(stage, p))
}

// NextOfScenario serves fakenode_scenarioNext: makes the next move of a scenario.
func NextOfScenario(r *api.Request, id api.Number) (any, error) {
	story, err := r.Network.Story.Get(uint64(id))
	if err != nil {
		return nil, r.BadInput(err)
	}
	move, err := story.(*scenario.Story).Next(r.Ctx)
	return move, r.BadInput(err)
}
