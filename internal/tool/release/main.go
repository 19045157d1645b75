// Command release builds the fakenode binary for every platform and packs one archive for each, with a file of
// checksums. The same source, version and Go toolchain give the same bytes on every machine.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing/fstest"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(os.Stderr, "release: %v\n", err)
		os.Exit(1)
	}
}

// versionForm is the form of versions of Go modules and, without the v, of npm packages: v1.2.3 or v1.2.3-rc.1.
var versionForm = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)

// run builds into the directories that the flags name and prints the paths of the files.
func run(args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	version := flags.String("version", "", "the version to stamp, such as v1.2.3")
	only := flags.String("platform", "", "the only platform to build for, such as linux-amd64; empty: all")
	binaries := flags.String("binaries", "dist/bin", "`directory` for the binaries, one below it for each platform")
	archives := flags.String("archives", "", "`directory` for the archives and SHA256SUMS; empty: none")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if !versionForm.MatchString(*version) {
		return fmt.Errorf("version %q: want one such as v1.2.3", *version)
	}
	wanted := platforms
	if *only != "" {
		i := slices.IndexFunc(platforms, func(p platform) bool { return p.String() == *only })
		if i < 0 {
			return fmt.Errorf("platform %q: want one of %v", *only, platforms)
		}
		wanted = platforms[i : i+1]
	}
	var made []string
	for _, p := range wanted {
		binary := filepath.Join(*binaries, p.String(), p.binary())
		if err := build(p, *version, binary); err != nil {
			return fmt.Errorf("build for %s: %w", p, err)
		}
		fmt.Fprintln(stdout, binary)
		if *archives == "" {
			continue
		}
		archive := filepath.Join(*archives, p.archive(*version))
		if err := pack(archive, p, binary); err != nil {
			return fmt.Errorf("archive for %s: %w", p, err)
		}
		fmt.Fprintln(stdout, archive)
		made = append(made, archive)
	}
	if *archives == "" {
		return nil
	}
	return writeChecksums(filepath.Join(*archives, "SHA256SUMS"), made)
}

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

func (p platform) binary() string {
	if p.os == "windows" {
		return "fakenode.exe"
	}
	return "fakenode"
}

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

// epoch is the time of every file in an archive: the earliest that zip can hold.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// pack writes the archive of a platform: its binary, the licence and the README.
func pack(archive string, p platform, binary string) error {
	files := fstest.MapFS{}
	for _, path := range []string{binary, "LICENSE", "README.md"} {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files[filepath.Base(path)] = &fstest.MapFile{Data: content, Mode: 0o644, ModTime: epoch}
	}
	files[filepath.Base(binary)].Mode = 0o755
	write := writeTar
	if p.os == "windows" {
		write = writeZip
	}
	var packed bytes.Buffer
	if err := write(&packed, files); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(archive), 0o755); err != nil {
		return err
	}
	return os.WriteFile(archive, packed.Bytes(), 0o644)
}

// writeTar writes a compressed tar archive whose bytes depend on the files alone.
func writeTar(w io.Writer, files fs.FS) error {
	compressed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(compressed)
	return errors.Join(archive.AddFS(files), archive.Close(), compressed.Close())
}

// writeZip writes a zip archive whose bytes depend on the files alone.
func writeZip(w io.Writer, files fs.FS) error {
	archive := zip.NewWriter(w)
	return errors.Join(archive.AddFS(files), archive.Close())
}

// writeChecksums writes the SHA-256 of each file as sha256sum --check reads them.
func writeChecksums(path string, files []string) error {
	var list bytes.Buffer
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(content), filepath.Base(file))
	}
	return os.WriteFile(path, list.Bytes(), 0o644)
}
