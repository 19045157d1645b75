package fakenode

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// Version is the version of the module this binary was built from, "devel" for a checkout.
func Version() string {
	const devel = "devel"
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

// ClientVersion is the answer of web3_clientVersion, such as "fakenode/devel/linux-amd64/go1.26.8".
func ClientVersion() string { return clientVersion() }

var clientVersion = sync.OnceValue(func() string {
	return fmt.Sprintf("fakenode/%s/%s-%s/%s", Version(), runtime.GOOS, runtime.GOARCH, runtime.Version())
})
