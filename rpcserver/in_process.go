package rpcserver

import (
	"context"
	"errors"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// inProcess marks the context of requests from the node's own process.
type inProcess struct{}

// InProcess returns the context of a request from the node's own process. Its client is the test's, not one that the
// contract was written for: the messages of its errors have the reason of a revert under every profile.
func InProcess(ctx context.Context) context.Context {
	return context.WithValue(ctx, inProcess{}, true)
}

// explained returns wire, which stands for err, with the reason of a revert if the client is in the process.
func explained(r *jsonrpc.Request, wire *jsonrpc.Error, err error) *jsonrpc.Error {
	var revert *evmstate.RevertError
	if wire == nil || wire.Message != "execution reverted" || !errors.As(err, &revert) || r.Context().Value(inProcess{}) == nil {
		return wire
	}
	told := *wire
	told.Message = revert.Error()
	return &told
}
