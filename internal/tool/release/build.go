package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// platform is an operating system and an architecture, in Go's names.
type platform struct{ os, arch string }

var platforms = []platform{
	{"darwin", "amd64"},
	{"darwin", "arm64"},
	{"linux", "amd64"},
	{"linux", "arm64"},
	{"windows", "amd64"},
}

func (p platform) String() string { return p.os + "-" + p.arch }

// binary returns the name of the platform's executable file.
func (p platform) binary() string {
	if p.os == "windows" {
		return "fakenode.exe"
	}
	return "fakenode"
}

// archive returns the name of the platform's archive.
func (p platform) archive(version string) string {
	name := fmt.Sprintf("fakenode-%s-%s", strings.TrimPrefix(version, "v"), p)
	if p.os == "windows" {
		return name + ".zip"
	}
	return name + ".tar.gz"
}

// build compiles the command for a platform into the file output. The binary is static and holds no path, no time and
// no state of the checkout, which would all differ from one machine to the next. It is built without go.work, as by go
// install.
func build(p platform, version, output string) error {
	command := exec.Command("go", "build", "-trimpath", "-buildvcs=false",
		"-ldflags", "-s -w -buildid= -X github.com/fakenode/fakenode.version="+version, "-o", output, "github.com/fakenode/fakenode/cmd/fakenode")
	command.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0", "GOOS="+p.os, "GOARCH="+p.arch, "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0")
	command.Stderr = os.Stderr
	return command.Run()
}
