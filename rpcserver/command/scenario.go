package command

import (
	"fmt"

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

// params returns them as a scenario takes them, or an error that names the wrong one.
func (p *scenarioParams) params(accounts int) (scenario.Params, error) {
	params := scenario.Params{
		Payer: int(p.Payer), Merchant: int(p.Merchant), Amount: p.Amount, Depth: int(p.Depth), Times: int(p.Times), Step: p.StepMs.milliseconds(),
	}
	if params.Step > scenario.MaxStep {
		return params, fmt.Errorf("stepMs %d is outside 0 to %d", p.StepMs, scenario.MaxStep.Milliseconds())
	}
	return params, params.Check(accounts)
}

// staged returns a scenario, and what to play it with.
func staged(r *api.Request, name string, given *scenarioParams) (found scenario.Scenario, stage scenario.Stage, p scenario.Params, err error) {
	if found, err = scenario.Find(name); err != nil {
		return found, stage, p, r.BadInput(err)
	}
	if given != nil {
		if p, err = given.params(len(r.Network.Accounts)); err != nil {
			return found, stage, p, r.BadInput(err)
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

// StartScenario serves fakenode_scenarioStart: begins to tell a scenario move by move, and answers its id.
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
