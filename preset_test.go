package fakenode

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure a preset of a live chain has no other values than those whose facts docs/maintainers/facts.md lists: a new one
// needs a row there, and a question in the test of internal/tool/facts.
func TestPresetsHaveFacts(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{
		"main": true, "testnet": true, "bridge": true, "rules": true, "blockTime": true, "flashblockTime": true, "gasLimit": true,
		"fees": true, "scalars": true, "preconf": true, "metadata": true, "token": true,
	}
	for _, preset := range []Preset{Base, BaseFlashblocks, Optimism, Unichain} {
		values := reflect.ValueOf(presets[preset])
		for i := range values.NumField() {
			name := values.Type().Field(i).Name
			require.True(t, listed[name] || values.Field(i).IsZero(), "%s: %s", preset, name)
		}
	}
}
