package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/params"
)

// Tracer watches the execution of one message and returns its observations as JSON.
type Tracer struct {
	*tracing.Hooks
	GetResult func() (json.RawMessage, error)
	// Stop ends the tracer early; GetResult then returns the error. It is safe for concurrent use.
	Stop func(error)
}

// About describes the message to a tracer. For a call all is zero.
type About struct {
	BlockHash   common.Hash
	BlockNumber *big.Int
	TxIndex     int
	TxHash      common.Hash
}

// Directory makes tracers by name, and from their source in JavaScript. It is safe for concurrent use.
type Directory interface {
	// New returns a new tracer for one message. The error's text is for the client.
	New(name string, about *About, config json.RawMessage, chain *params.ChainConfig) (*Tracer, error)
	// Mux returns a tracer whose result is an object with the result of each tracer under its name.
	Mux(names []string, tracers []*Tracer) (*Tracer, error)
	// IsScript reports whether the tracer runs JavaScript: all do but those whose name is a tracer's in Go.
	IsScript(name string) bool
}

// ErrNoTracers is returned for a named tracer in a program that imports none.
var ErrNoTracers = errors.New(`this program has only the struct logger: import _ "github.com/fakenode/fakenode/tracers" for the others`)

// directory is the registered Directory, or noTracers.
var directory Directory = noTracers{}

// Register makes the tracers of d available. Call it in the init function of the package that holds them.
func Register(d Directory) { directory = d }

// noTracers is the Directory of a program that imports no tracers.
type noTracers struct{}

func (noTracers) New(name string, _ *About, _ json.RawMessage, _ *params.ChainConfig) (*Tracer, error) {
	return nil, fmt.Errorf("tracer %.100s: %w", name, ErrNoTracers)
}

func (noTracers) Mux([]string, []*Tracer) (*Tracer, error) {
	return nil, fmt.Errorf("tracer %s: %w", muxTracer, ErrNoTracers)
}

func (noTracers) IsScript(string) bool { return false }
