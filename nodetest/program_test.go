package nodetest

import (
	"math/big"
	"slices"
	"strings"
	"testing"
)

// Ensure a node's clock stands still unless the flags or a preset say otherwise.
func TestArguments(t *testing.T) {
	for _, c := range []struct{ flags, want []string }{
		{nil, []string{"--port=0", "--seal=manual", "--compat=geth", "--quiet", "--exit-with-stdin"}},
		{[]string{"-seal", "instant"}, []string{"--port=0", "-seal", "instant", "--compat=geth", "--quiet", "--exit-with-stdin"}},
		{[]string{"--preset=base"}, []string{"--port=0", "--preset=base", "--quiet", "--exit-with-stdin"}},
	} {
		if got := arguments(c.flags); !slices.Equal(got, c.want) {
			t.Errorf("%q: have %q, want %q", c.flags, got, c.want)
		}
	}
}

// Ensure an address is text or has a String method, and all else is an error.
func TestHexText(t *testing.T) {
	for _, value := range []any{"7", big.NewInt(7)} {
		if text, err := hexText(value); text != "7" || err != nil {
			t.Errorf("%v: have %q, %v", value, text, err)
		}
	}
	for _, value := range []any{nil, 7} {
		if _, err := hexText(value); err == nil {
			t.Errorf("%v was taken", value)
		}
	}
}

// Ensure the version to build is the one of this package in Go's cache of modules.
func TestVersionOf(t *testing.T) {
	if version, err := versionOf("/mod/github.com/fakenode/fakenode/nodetest@v0.3.1/program.go"); version != "v0.3.1" || err != nil {
		t.Errorf("have %q, %v", version, err)
	}
	if _, err := versionOf("/src/nodetest/program.go"); err == nil {
		t.Error("a checkout has a version")
	}
}

// Ensure the error says what to set where there is no program and no network to build one from.
func TestNoProgramAndNoNetwork(t *testing.T) {
	offline := []string{"GOPROXY=off", "GOFLAGS=", "GOWORK=off", "GOBIN=" + t.TempDir()}
	err := run(t.TempDir(), offline, "go", "install", module+"/cmd/fakenode@v0.0.1")
	for _, want := range []string{"fakenode is not on the PATH and cannot be built: ", "GOPROXY=off", "\nset FAKENODE_BINARY to the program"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("have %v, want %q in it", err, want)
		}
	}
}
