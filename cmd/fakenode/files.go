package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/spelling"
)

// files are the paths of files, empty for none.
type files struct {
	chain, genesis, predeploy, loadState, blocks   string // that describe the node
	export, dumpState, configOut, chainOut, record string // that are written
}

// open reads the files the flags name and returns the node's Config. close ends the import.
func (o *options) open() (config fakenode.Config, close func(), err error) {
	config, close = o.config, func() {}
	if err := cmp.Or(o.checkFork(&config), o.checkTogether()); err != nil {
		return config, close, err
	}
	if !o.l1 {
		config.L1 = nil
	}
	if err := o.checkWritable(); err != nil {
		return config, close, err
	}
	if config.Genesis, err = readFile(o.genesis, readGenesis); err != nil {
		return config, close, err
	}
	if config.Predeploys, err = readFile(o.predeploy, fakenode.ReadPredeploys); err != nil {
		return config, close, err
	}
	if config.Alloc, err = readFile(o.loadState, fakenode.ReadDump); err != nil {
		return config, close, err
	}
	if o.blocks != "" {
		file, err := os.Open(o.blocks)
		if err != nil {
			return config, close, err
		}
		config.Import, close = file, func() { _ = file.Close() }
	}
	return config, close, nil
}

func readGenesis(r io.Reader) (*fakenode.Genesis, error) {
	g := new(fakenode.Genesis)
	return g, spelling.JSON(json.NewDecoder(r).Decode(g))
}

// checkTogether returns an error if flags are given that have no effect without another one, or beside it.
func (o *options) checkTogether() error {
	c := &o.config
	switch {
	case !o.l1 && *c.L1 != (fakenode.L1Config{}):
		return errors.New("--l1-distance, --l1-block-time, --game, --propose-every and --withdrawal-delay need --l1")
	case c.Replicas.Count == 0 && (len(c.Replicas.Lag) > 0 || c.Replicas.Seed != 0):
		return errors.New("--replica-lag and --replica-seed need --replicas")
	case c.NoPreconf && (c.FlashblockTime != 0 || c.Preconf != "" || c.Flashblocks != fakenode.Frames{} || c.Lags.PendingLag != 0):
		return errors.New("--flashblock-time, --preconf, --flashblocks-brotli, --flashblocks-metadata and --pending-lag do not go with --no-preconf")
	case c.NoSendSync && c.SendSync != "":
		return errors.New("--send-sync does not go with --no-send-sync")
	case c.Bundler.Off && c.Bundler.Rules != "":
		return errors.New("--bundler-rules does not go with --no-bundler")
	case (c.Worlds.Auto || c.Worlds.TTL != 0 || c.Worlds.PerOwner != 0) && (c.NoControl || c.Worlds.Count < 0):
		return errors.New("--auto-worlds, --world-ttl and --worlds-per-owner do not go with --no-control or --worlds 0")
	case c.X402Assets && c.Contracts == fakenode.NoContracts:
		return errors.New("--x402-assets does not go with --contracts none")
	case c.Recover != "" && c.State == "":
		return errors.New("--recover needs --state: a new file")
	}
	return nil
}

// readFile reads a file, and nothing without a path.
func readFile[T any](path string, read func(io.Reader) (T, error)) (content T, err error) {
	if path == "" {
		return content, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return content, err
	}
	defer file.Close()
	if content, err = read(file); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return content, err
}

// checkWritable makes sure that the files to write later can be written: at shutdown it would be too late to report it.
func (f *files) checkWritable() error {
	if f.export != "" {
		if err := os.MkdirAll(f.export, 0o755); err != nil {
			return err
		}
	}
	for _, path := range []string{f.configOut, f.chainOut, f.dumpState, exported(f.export, genesisFile), exported(f.export, chainFile)} {
		if err := checkWritable(path); err != nil {
			return err
		}
	}
	return nil
}

// checkWritable opens a file for writing, if there is one, and leaves it as it was.
func checkWritable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a directory", path)
	case path == "" || err == nil && !info.Mode().IsRegular():
		return nil // opening a pipe would wait for its reader
	}
	file, openErr := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600)
	if openErr != nil {
		return openErr
	}
	openErr = file.Close()
	if errors.Is(err, fs.ErrNotExist) {
		openErr = errors.Join(openErr, os.Remove(path))
	}
	return openErr
}

// The files of an export.
const (
	genesisFile = "genesis.json"
	chainFile   = "chain.rlp"
)

// exported returns the path of a file in the export directory, or "" without one.
func exported(directory, name string) string {
	if directory == "" {
		return ""
	}
	return filepath.Join(directory, name)
}

// export writes the main network's genesis and sealed blocks, as geth init and geth import take them, unless directory
// is empty.
func export(directory string, node *fakenode.Node, stderr io.Writer) error {
	if directory == "" {
		return nil
	}
	if err := node.Importable(); err != nil {
		fmt.Fprintf(stderr, "fakenode: other clients will not import %s: %v\n", directory, err)
	}
	chain := node.Moment().Chain()
	return errors.Join(
		writeFile(exported(directory, genesisFile), 0o644, chain.ExportGenesis),
		writeFile(exported(directory, chainFile), 0o644, chain.Export),
	)
}

// writeFile writes a file in place, unless path is empty: a rename would destroy a pipe, a device, a link, or a file
// mounted into a container. A new file gets the mode given.
func writeFile(path string, mode os.FileMode, write func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	if err := errors.Join(write(file), file.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
