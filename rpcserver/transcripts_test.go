package rpcserver

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"testing"

	"github.com/fakenode/fakenode/internal/test/transcript"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

var update = flag.Bool("update", false, "write the answers received into the transcripts under testdata")

// Ensure the methods answer as recorded, under the contract's profile and geth's, with limits, and on a
// node without pre-confirmation.
func TestMethodTranscripts(t *testing.T) {
	t.Parallel()
	plain := func() (preconf.Config, Config) { return preconf.Config{}, Config{} }
	for dir, config := range map[string]func() (preconf.Config, Config){
		"eth_getLogs":    plain,
		"eth_call":       plain,
		"eth_getCode":    plain,
		"eth_simulateV1": plain,
		"eth":            plain,
		"eth_subscribe":  plain,
		"filters":        plain,
		"txpool":         plain,
		"control": func() (preconf.Config, Config) {
			return preconf.Config{}, Config{Main: &Network{Scenario: playScenario}}
		},
		"profile_geth": func() (preconf.Config, Config) { return preconf.Config{}, Config{Main: &Network{Profile: shape.Geth}} },
		"limits": func() (preconf.Config, Config) {
			return preconf.Config{MaxFilters: 3}, Config{Limits: api.Limits{LogsMaxRange: 4, LogsMaxResults: 2}}
		},
		"no_preconf": func() (preconf.Config, Config) {
			return preconf.Config{NoPreconf: true}, Config{Disabled: Preconfirmation}
		},
		"pending_lag": func() (preconf.Config, Config) { return preconf.Config{PendingLag: 3}, Config{} },
	} {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			transcript.Run(t, "testdata/"+dir, *update, func(t *testing.T) transcript.Node {
				timeline, server := config()
				n := newNetwork(t, timeline, server)
				return transcript.Node{URL: n.server.URL(), Step: n.step}
			})
		})
	}
}

func playScenario(_ context.Context, _ *preconf.Timeline, name string, params json.RawMessage) (any, error) {
	switch name {
	case "Echo":
		return params, nil
	case "Fails":
		return nil, errors.New("the world has no block 1")
	}
	return nil, fmt.Errorf("unknown scenario %q", name)
}
