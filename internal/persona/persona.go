// Package persona holds the nodes that one can be like: each is a literal of the behaviours that the rooms of the house
// have, in a file of its own. Nothing else in the house knows which node it imitates.
package persona

import "github.com/fakenode/fakenode/rpcserver/api"

// Persona says whose behaviour a node has.
type Persona struct {
	Wire   api.Behaviour
	Limits api.Limits
}
