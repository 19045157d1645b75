package probe_test

import (
	"bytes"
	"io"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/persona"
)

// hidden are the values that no answer shows at once.
var hidden = map[string]string{
	".Limits.SocketIdle": "closes a silent connection after half a minute: rpcserver/jsonrpc shows it",
}

// Ensure every value of every row is seen in an answer: without it some answer is another. A value that nothing shows
// cannot be added.
func TestEveryValueShows(t *testing.T) {
	t.Parallel()
	below := chainBelow(t)
	profile := persona.Geth
	profile.FlashblockTime = fakenode.NoFlashblocks
	profile.Fill(persona.Dev)
	all := map[string]persona.Persona{"geth": profile}
	for _, name := range persona.Names() {
		all[name] = *persona.Named(name)
	}
	for name, row := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var whole bytes.Buffer
			playRow(t, &whole, fakenode.Config{Chain: &row}, below)
			for _, path := range values(reflect.ValueOf(row), "") {
				if hidden[path] != "" {
					continue
				}
				without := row
				erase(reflect.ValueOf(&without).Elem(), "", path)
				t.Run(path[1:], func(t *testing.T) {
					t.Parallel()
					require.True(t, differs(whole.Bytes(), func(out io.Writer) { playRow(t, out, fakenode.Config{Chain: &without}, below) }))
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

// erase sets the value at a path to zero.
func erase(in reflect.Value, at, path string) {
	if at == path {
		in.SetZero()
		return
	}
	for i := 0; in.Kind() == reflect.Struct && i < in.NumField(); i++ {
		erase(in.Field(i), at+"."+in.Type().Field(i).Name, path)
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
