// Command release builds the fakenode binary for every platform and packs one archive for each, with a file of
// checksums. The same source, version and Go toolchain give the same bytes on every machine.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
