package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/fakenode/fakenode"
)

// files are the paths of files, empty for none.
type files struct {
	chain, genesis, predeploy, loadState, blocks   string // that describe the node
	export, dumpState, configOut, chainOut, record string // that are written
}

// open reads the files the flags name and returns the node's Config. close ends the import.
func (o *options) open() (config fakenode.Config, close func(), err error) {
	config, close = o.config, func() {}
	if err := o.checkFork(&config); err != nil {
		return config, close, err
	}
	if !o.l1 {
		if *config.L1 != (fakenode.L1Config{}) {
			return config, close, errors.New("values of an L1 are given without an L1")
		}
		config.L1 = nil
	}
	if err := o.checkWritable(); err != nil {
		return config, close, err
	}
	if o.genesis != "" {
		text, err := os.ReadFile(o.genesis)
		if err != nil {
			return config, close, err
		}
		config.Genesis = new(fakenode.Genesis)
		if err := json.Unmarshal(text, config.Genesis); err != nil {
			return config, close, fmt.Errorf("genesis %s: %w", o.genesis, err)
		}
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
		if path == "" {
			continue
		}
		if err := checkWritable(path); err != nil {
			return err
		}
	}
	return nil
}

// checkWritable opens a file for writing and leaves it as it was.
func checkWritable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a directory", path)
	case err == nil && !info.Mode().IsRegular():
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
