package command

import (
	"encoding/json"

	"github.com/fakenode/fakenode/rpcserver/api"
)

// scenarioParams are the parameters of a scenario, which Network.Scenario decodes.
type scenarioParams json.RawMessage

// UnmarshalJSON implements json.Unmarshaler.
func (p *scenarioParams) UnmarshalJSON(raw []byte) error {
	return (*json.RawMessage)(p).UnmarshalJSON(raw)
}

func (scenarioParams) Wanted() string { return "{payer?, merchant?, amount?, depth?, times?}" }

// Scenario serves fakenode_scenario.
func Scenario(r *api.Request, name string, p *scenarioParams) (any, error) {
	if r.Network.Scenario == nil {
		return nil, api.InvalidParams("unknown scenario %q: this network has none", api.Excerpt(name))
	}
	var given json.RawMessage
	if p != nil {
		given = json.RawMessage(*p)
	}
	conclusion, err := r.Network.Scenario(r.Ctx, r.Network.Timeline, name, given)
	if err != nil {
		return nil, r.BadInput(err)
	}
	return conclusion, nil
}
