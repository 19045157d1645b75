package explain

import (
	"context"
	"time"

	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// maxTraceTime is the wall time that a request of this package may execute, all its transactions together. It is also
// the most that a client may ask for one of them.
const maxTraceTime = 5 * time.Minute

// Begin waits for the request's turn to execute. Every method of this package that executes transactions or calls again
// needs it. The request's context then ends after maxTraceTime at the latest. done must be called when the method has
// its result. The error reports that the client left.
func Begin(r *api.Request) (done func(), err error) {
	arrived := r.Caller.MayTakeLong()
	if err := r.TakeTurn(); err != nil {
		arrived()
		return nil, err
	}
	var cancel context.CancelFunc
	r.Ctx, cancel = context.WithTimeoutCause(r.Ctx, maxTraceTime, trace.ErrTimeout)
	return func() {
		cancel()
		r.EndTurn()
		arrived()
	}, nil
}
