// Package behind asks again where calls are spread over nodes, some of which do not have yet what another has named.
package behind

import (
	"errors"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/rpc"
)

// Again asks up to that many times, until a node has the answer. It asks again for what is not found and after any
// error that a node answers, a revert included: perhaps the node has not what the call needs. Other errors end it.
func Again[T any](tries int, ask func() (T, error)) (answer T, err error) {
	for range tries {
		if answer, err = ask(); !errors.Is(err, ethereum.NotFound) && !errors.As(err, new(rpc.Error)) {
			break
		}
	}
	return answer, err
}
