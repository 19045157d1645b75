package remote

import (
	"errors"
	"fmt"

	"github.com/fakenode/fakenode/evmstate/remote/provider"
)

// ErrMiss is wrapped by the Error for an item that is not in the cache file, if nothing may be fetched.
var ErrMiss = errors.New("not in the fork cache")

// Error is returned where an item is needed that cannot be had.
type Error struct {
	// Item in words, such as "storage 0x… of 0x… at block 17".
	Item string
	Err  error
}

// Error names the item. It holds no key of the node's URL or headers.
func (e *Error) Error() string {
	if errors.Is(e.Err, ErrMiss) {
		return fmt.Sprintf("%v: %s", ErrMiss, e.Item)
	}
	return fmt.Sprintf("fork: %s: %v", e.Item, e.Err)
}

// Refused reports whether the node answered, with a JSON-RPC error.
func (e *Error) Refused() bool {
	return errors.As(e.Err, new(*provider.Error))
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }
