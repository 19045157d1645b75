package api

import "runtime"

// Turns lets as many calls run at a time as there are processors, less one for the clock and for cheap methods where
// there are two or more. The others wait. A call is any request that runs the EVM for as long as the client wants. Safe
// for concurrent use.
type Turns chan struct{}

// NewTurns returns the turns of a server.
func NewTurns() Turns { return make(Turns, max(runtime.GOMAXPROCS(0)-1, 1)) }

// TakeTurn waits until the call may run. Its time limit begins then. The error reports the end of the request; without
// one the caller must call EndTurn after the call.
func (r *Request) TakeTurn() error {
	if err := r.Ctx.Err(); err != nil {
		return err // no turn for a client that left while others had theirs
	}
	select {
	case r.Network.Turns <- struct{}{}:
		return nil
	case <-r.Ctx.Done():
		return r.Ctx.Err()
	}
}

// EndTurn lets the next call run.
func (r *Request) EndTurn() { <-r.Network.Turns }
