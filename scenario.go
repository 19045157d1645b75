package fakenode

import (
	"context"

	"github.com/fakenode/fakenode/scenario"
)

// Scenarios returns the names of all scenarios, sorted, with what each is about.
func Scenarios() []scenario.Scenario { return scenario.All() }

// Scenario plays a named course of events around one capture: a reorg that moves it, a pre-confirmation that is lost,
// and so on (Scenarios lists them). It returns once all is over, with what a correct client must conclude. Everything
// that waits is sealed first, armed faults wait until the end, and no other writer changes the network meanwhile. On an
// error the network is as it was before.
func (n *Network) Scenario(name string, p ScenarioParams) (Conclusion, error) {
	found, err := scenario.Find(name)
	if err != nil {
		return Conclusion{}, err
	}
	stage := scenario.Stage{Timeline: n.Timeline(), Accounts: n.node.accounts, Token: n.Token().Domain()}
	return found.Play(context.Background(), stage, p)
}
