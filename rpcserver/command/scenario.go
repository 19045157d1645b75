package command

import (
	"encoding/json"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/scenario"
)

// scenarioParams are a scenario.Params, whose errors are not those of a parameter of another form.
type scenarioParams json.RawMessage

func (p *scenarioParams) UnmarshalJSON(raw []byte) error {
	return (*json.RawMessage)(p).UnmarshalJSON(raw)
}

func (scenarioParams) Wanted() string { return "{payer?, merchant?, amount?, depth?, times?, stepMs?}" }

// Scenario serves fakenode_scenario: plays a named course of events and answers what a correct client must conclude.
func Scenario(r *api.Request, name string, given *scenarioParams) (any, error) {
	var p scenario.Params
	if given != nil {
		if err := json.Unmarshal(*given, &p); err != nil {
			return nil, r.BadInput(err)
		}
	}
	found, err := scenario.Find(name)
	if err != nil {
		return nil, r.BadInput(err)
	}
	domain, err := payToken(r).Domain(r.Ctx)
	if err != nil {
		return nil, err
	}
	conclusion, err := found.Play(r.Ctx, scenario.Stage{Timeline: r.Network.Timeline, Accounts: r.Network.Accounts, Token: domain}, p)
	if err != nil {
		return nil, r.BadInput(err)
	}
	return conclusion, nil
}
