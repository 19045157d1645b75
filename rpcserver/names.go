package rpcserver

import "github.com/fakenode/fakenode/rpcserver/shape"

// The form of answers; see package shape.
type (
	// Profile says whose answers are given where the contract and live clients differ (contract D-profile).
	Profile = shape.Profile
)

// The profiles.
const (
	Spec = shape.Spec // as the contract says
	Geth = shape.Geth // as execution-apis and live clients do
)
