package fakenode

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// version is set by the linker when a release is built; empty otherwise.
var version string

// Version returns the version of the release, or of the module this binary was built from; "devel" for a checkout.
func Version() string {
	const devel = "devel"
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return devel
	}
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path == "github.com/fakenode/fakenode" && m.Version != "" && m.Version != "(devel)" {
			return m.Version
		}
	}
	return devel
}

// ClientVersion returns the answer of web3_clientVersion, such as "fakenode/devel/linux-amd64/go1.26.8".
func ClientVersion() string { return clientVersion() }

var clientVersion = sync.OnceValue(func() string {
	return fmt.Sprintf("fakenode/%s/%s-%s/%s", Version(), runtime.GOOS, runtime.GOARCH, runtime.Version())
})
