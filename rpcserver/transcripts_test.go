package rpcserver_test

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/internal/test/transcript"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

var update = flag.Bool("update", false, "write the answers received into the transcripts under testdata")

// Ensure the methods answer as recorded, under the contract's profile and geth's, with limits, and on a
// node without pre-confirmation.
func TestMethodTranscripts(t *testing.T) {
	t.Parallel()
	plain := func() (preconf.Config, rpcserver.Config) { return preconf.Config{}, rpcserver.Config{} }
	for dir, config := range map[string]func() (preconf.Config, rpcserver.Config){
		"eth_getLogs":    plain,
		"eth_call":       plain,
		"eth_getCode":    plain,
		"eth_simulateV1": plain,
		"eth":            plain,
		"eth_subscribe":  plain,
		"filters":        plain,
		"txpool":         plain,
		"control":        plain,
		"profile_geth": func() (preconf.Config, rpcserver.Config) {
			return preconf.Config{}, rpcserver.Config{Settings: api.Settings{Behaviour: persona.Geth.Wire}}
		},
		"limits": func() (preconf.Config, rpcserver.Config) {
			return preconf.Config{Filters: filter.Limits{Count: 3}}, rpcserver.Config{Limits: api.Limits{LogsMaxRange: 4, LogsMaxResults: 2}}
		},
		"no_preconf": func() (preconf.Config, rpcserver.Config) {
			return preconf.Config{NoPreconf: true}, rpcserver.Config{Disabled: rpcserver.Preconfirmation}
		},
		"realtime": func() (preconf.Config, rpcserver.Config) {
			return preconf.Config{Behaviour: preconf.Behaviour{PendingHash: preconf.HashOfOnes}}, rpcserver.Config{Settings: api.Settings{Behaviour: api.Behaviour{Preconf: api.PreconfMegaETH}}}
		},
		"pending_lag": func() (preconf.Config, rpcserver.Config) {
			return preconf.Config{Behaviour: preconf.Behaviour{PendingLag: 3}}, rpcserver.Config{}
		},
	} {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			transcript.Run(t, "testdata/"+dir, *update, func(t *testing.T) transcript.Node {
				timeline, server := config()
				n := servertest.New(t, timeline, server)
				return transcript.Node{URL: n.Server.URL(), Step: func(s string) error { return step(n, s) }}
			})
		})
	}
}

// step takes a step of a transcript.
func step(n *servertest.Network, step string) error {
	verb, argument, _ := strings.Cut(step, " ")
	var err error
	switch verb {
	case "preconfirm":
		_, err = n.Timeline.Preconfirm()
	case "seal":
		blocks := 1
		if argument != "" {
			if blocks, err = strconv.Atoi(argument); err != nil {
				return err
			}
		}
		_, err = n.Timeline.Seal(blocks)
	case "reorg":
		var depth int
		if depth, err = strconv.Atoi(argument); err == nil {
			_, err = n.Timeline.Reorg(preconf.ReorgOptions{Depth: depth})
		}
	case "advance":
		var d time.Duration
		if d, err = time.ParseDuration(argument); err == nil {
			_, err = n.Timeline.Advance(d)
		}
	case "impersonate":
		err = n.Timeline.Impersonate(common.HexToAddress(argument))
	case "pay":
		n.Pay(0, 1, 1000)
	case "log":
		n.Logs(0, argument, "0x1", 1)
	default:
		err = fmt.Errorf("unknown step %q", step)
	}
	return err
}
