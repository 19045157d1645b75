package world_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/rpcserver/world"
)

// Ensure every network's path can be read back, with and without a slash at its end.
func TestPathsReadBack(t *testing.T) {
	t.Parallel()
	for text, p := range map[string]world.Path{
		"":                              {Network: world.Main},
		"/testnet":                      {Network: world.Testnet},
		"/flashblocks":                  {Network: world.Main, Feed: true},
		"/testnet/flashblocks":          {Network: world.Testnet, Feed: true},
		"/w/shop":                       {World: "shop", Network: world.Main},
		"/w/7/testnet":                  {World: "7", Network: world.Testnet},
		"/w/testnet":                    {World: "testnet", Network: world.Main},
		"/w/a-_Z/flashblocks":           {World: "a-_Z", Network: world.Main, Feed: true},
		"/w/w/testnet/flashblocks":      {World: "w", Network: world.Testnet, Feed: true},
		"/l1":                           {Network: world.L1},
		"/w/AZaz09/l1/flashblocks":      {World: "AZaz09", Network: world.L1, Feed: true},
		"/replica/1":                    {Network: world.Main, Replica: 1},
		"/testnet/replica/65535":        {Network: world.Testnet, Replica: 65535},
		"/w/a/replica/any":              {World: "a", Network: world.Main, Replica: world.AnyReplica},
		"/w/a/l1/replica/2/flashblocks": {World: "a", Network: world.L1, Replica: 2, Feed: true},
	} {
		require.Equal(t, text, p.String())
		for _, given := range []string{text, text + "/"} {
			read, err := world.ParsePath(given)
			require.NoError(t, err, given)
			require.Equal(t, p, read, given)
		}
	}
}

// Ensure /7 is short for /w/7, for numbers from 1 to 65535.
func TestNumbersArePaths(t *testing.T) {
	t.Parallel()
	for text, p := range map[string]world.Path{
		"/7":                     {World: "7", Network: world.Main, Number: true},
		"/65535/testnet":         {World: "65535", Network: world.Testnet, Number: true},
		"/1/flashblocks":         {World: "1", Network: world.Main, Feed: true, Number: true},
		"/12/testnet/":           {World: "12", Network: world.Testnet, Number: true},
		"/3/testnet/flashblocks": {World: "3", Network: world.Testnet, Feed: true, Number: true},
	} {
		read, err := world.ParsePath(text)
		require.NoError(t, err, text)
		require.Equal(t, p, read, text)
	}
}

// Ensure paths that lead to no network are errors, and that the error names an impossible name of a world.
func TestNoPaths(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"//", "/0", "/07", "/+7", "/65536", "/shop", "/7/8", "/w", "/flashblocks/testnet", "/testnet/testnet", "/replica/0", "/replica/07", "/replica/+7", "/replica/65536", "/replica/none", "/replica/1/2"} {
		_, err := world.ParsePath(text)
		var badName *world.NameError
		require.Error(t, err, text)
		require.NotErrorAs(t, err, &badName, text)
	}
	for text, name := range map[string]string{"/w/": "", "/w//": "", "/w//testnet": "", "/w/a b": "a b", "/w/a/b": "a/b", "/w/ä/flashblocks": "ä"} {
		_, err := world.ParsePath(text)
		var badName *world.NameError
		require.ErrorAs(t, err, &badName, text)
		require.Equal(t, name, badName.Name, text)
	}
	for _, c := range "/:@[`{,." { // beside the letters and digits that a name may have
		_, err := world.ParsePath("/w/a" + string(c))
		require.Equal(t, c != '/', err != nil, string(c))
	}
	_, err := world.ParsePath("/w/" + strings.Repeat("x", 65))
	require.EqualError(t, err, `"`+strings.Repeat("x", 65)+`" is no name of a world: want 1 to 64 of A-Z, a-z, 0-9, _ and -`)
	_, err = world.ParsePath("/w/" + strings.Repeat("x", 64))
	require.NoError(t, err)
}
