package rpcserver

import "encoding/json"

// scenarioParams are the parameters of a scenario, which Network.Scenario decodes.
type scenarioParams json.RawMessage

// UnmarshalJSON implements json.Unmarshaler.
func (p *scenarioParams) UnmarshalJSON(raw []byte) error {
	return (*json.RawMessage)(p).UnmarshalJSON(raw)
}

func (scenarioParams) Wanted() string { return "{payer?, merchant?, amount?, depth?, times?}" }

// scenario serves fakenode_scenario.
func scenario(r *request, name string, p *scenarioParams) (any, error) {
	if r.network.Scenario == nil {
		return nil, invalidParams("unknown scenario %q: this network has none", excerpt(name))
	}
	var given json.RawMessage
	if p != nil {
		given = json.RawMessage(*p)
	}
	conclusion, err := r.network.Scenario(r.ctx, name, given)
	if err != nil {
		return nil, r.badInput(err)
	}
	return conclusion, nil
}
