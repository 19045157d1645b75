package rpcserver

// ScenarioParams vary a scenario, as fakenode_scenario takes them. The zero value works.
type ScenarioParams struct {
	controlObject
	// Payer and Merchant are development accounts. Zero both: 0 and 1.
	Payer    Number `json:"payer"`
	Merchant Number `json:"merchant"`
	// Amount of the payment in dollars. Empty: "25.00".
	Amount string `json:"amount"`
	// Depth of reorgs, in blocks, and Times that something happens. Zero: the scenario's own.
	Depth Number `json:"depth"`
	Times Number `json:"times"`
}

func (ScenarioParams) Wanted() string { return "{payer?, merchant?, amount?, depth?, times?}" }

// scenario serves fakenode_scenario.
func scenario(r *request, name string, given *ScenarioParams) (any, error) {
	if r.network.Scenario == nil {
		return nil, invalidParams("unknown scenario %q: this network has none", excerpt(name))
	}
	var p ScenarioParams
	if given != nil {
		p = *given
	}
	conclusion, err := r.network.Scenario(r.ctx, name, p)
	if err != nil {
		return nil, r.badInput(err)
	}
	return conclusion, nil
}
