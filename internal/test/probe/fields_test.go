package probe_test

import (
	"bytes"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// hidden are the values that no answer of the probe shows, with the reason.
var hidden = map[string]string{
	".Limits.SocketIdle":   "closes a silent connection after half a minute",
	".Bridge.Interval":     "is an hour after the game that the probe proposes, later than it looks",
	".Blocks.Lags.SafeLag": "shows where finalized is farther behind: safe is never before it",
}

// Ensure every value of every row is seen in an answer: without it, or with twice as much, some answer is another. A
// value that nothing shows cannot be added. The forms of answers are one value of three rows, of which the methods of
// development nodes hide some: geth's row shows them.
func TestEveryValueShows(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	below := chainBelow(t)
	profile := persona.Geth
	profile.FlashblockTime = fakenode.NoFlashblocks
	profile.Fill(persona.Dev)
	all := map[string]persona.Persona{"geth": profile}
	for _, name := range laboratory.Budget(t, []string{"rise"}, persona.Names()) {
		all[name] = *persona.Named(name)
	}
	for name, row := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var whole bytes.Buffer
			playRow(t, &whole, fakenode.Config{Chain: &row}, below)
			for _, path := range values(reflect.ValueOf(row), "") {
				if hidden[path] != "" || name != "geth" && strings.HasPrefix(path, ".Wire.Forms.") {
					continue
				}
				t.Run(path[1:], func(t *testing.T) {
					t.Parallel()
					require.True(t, slices.ContainsFunc([]func(reflect.Value){reflect.Value.SetZero, change}, func(change func(reflect.Value)) bool {
						other := row
						alter(reflect.ValueOf(&other).Elem(), "", path, change)
						return differs(whole.Bytes(), func(out io.Writer) { playRow(t, out, fakenode.Config{Chain: &other}, below) })
					}))
				})
			}
		})
	}
}

// values returns the paths of what a struct has set.
func values(of reflect.Value, path string) []string {
	switch {
	case of.Kind() != reflect.Struct && of.IsZero():
		return nil
	case of.Kind() != reflect.Struct:
		return []string{path}
	}
	var all []string
	for i := range of.NumField() {
		all = append(all, values(of.Field(i), path+"."+of.Type().Field(i).Name)...)
	}
	return all
}

// alter changes the value at a path.
func alter(in reflect.Value, at, path string, change func(reflect.Value)) {
	if at == path {
		change(in)
		return
	}
	for i := 0; in.Kind() == reflect.Struct && i < in.NumField(); i++ {
		alter(in.Field(i), at+"."+in.Type().Field(i).Name, path, change)
	}
}

// change doubles a number, for one that is as large as the default, and makes megaeth of a name.
func change(v reflect.Value) {
	switch {
	case v.CanUint():
		v.SetUint(2 * v.Uint())
	case v.CanInt():
		v.SetInt(2 * v.Int())
	case v.Kind() == reflect.String:
		v.SetString("megaeth")
	}
}

// comparison is a writer that panics with itself once something else is written than what is left of want.
type comparison struct{ want []byte }

func (c *comparison) Write(p []byte) (int, error) {
	rest, same := bytes.CutPrefix(c.want, p)
	if !same {
		panic(c)
	}
	c.want = rest
	return len(p), nil
}

// differs reports whether play writes something else than want. It stops at the first difference.
func differs(want []byte, play func(io.Writer)) (is bool) {
	c := &comparison{want}
	defer func() {
		if p := recover(); p == c {
			is = true
		} else if p != nil {
			panic(p)
		}
	}()
	play(c)
	return len(c.want) > 0
}
