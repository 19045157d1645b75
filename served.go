package fakenode

import "github.com/fakenode/fakenode/rpcserver"

// disabled returns a function that reports whether the node lacks a method, or nil if it lacks none.
func (c *Config) disabled() func(method string) bool {
	noControl, noPreconf := c.NoControl, c.NoPreconf
	if !noControl && !noPreconf {
		return nil // the server does not ask for each call then
	}
	return func(method string) bool {
		return noControl && rpcserver.Control(method) || noPreconf && rpcserver.Preconfirmation(method)
	}
}
