package rpcserver

import "runtime"

// turns lets as many calls run at a time as there are processors, less one for the clock and for cheap methods where
// there are two or more. The others wait. A call is whatever runs the EVM as long as the client asks. Safe for
// concurrent use.
type turns chan struct{}

func newTurns() turns { return make(turns, max(runtime.GOMAXPROCS(0)-1, 1)) }

// takeTurn waits until the call may run. Its time limit begins then. The error is that of the end of the request;
// without one the caller calls endTurn when the call is done.
func (r *request) takeTurn() error {
	select {
	case r.served.turns <- struct{}{}:
		return nil
	case <-r.ctx.Done():
		return r.ctx.Err()
	}
}

// endTurn lets the next call run.
func (r *request) endTurn() { <-r.served.turns }
