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

// open reads the files the flags name and returns the node's Config. close ends the import.
func (o *options) open() (config fakenode.Config, close func(), err error) {
	config, close = o.config, func() {}
	if err := o.forked(&config); err != nil {
		return config, close, err
	}
	if err := o.checkWritable(); err != nil {
		return config, close, err
	}
	if o.genesisFile != "" {
		text, err := os.ReadFile(o.genesisFile)
		if err != nil {
			return config, close, err
		}
		config.Genesis = new(fakenode.Genesis)
		if err := json.Unmarshal(text, config.Genesis); err != nil {
			return config, close, fmt.Errorf("genesis %s: %w", o.genesisFile, err)
		}
	}
	if o.predeploy != "" {
		file, err := os.Open(o.predeploy)
		if err != nil {
			return config, close, err
		}
		defer file.Close()
		if config.Predeploys, err = fakenode.ReadPredeploys(file); err != nil {
			return config, close, fmt.Errorf("%s: %w", o.predeploy, err)
		}
	}
	if o.importFile != "" {
		file, err := os.Open(o.importFile)
		if err != nil {
			return config, close, err
		}
		config.Import, close = file, func() { _ = file.Close() }
	}
	if o.state != "" {
		if o.genesisFile != "" || o.importFile != "" {
			return config, close, errors.New("--state brings its own blocks: it does not go with --genesis or --import")
		}
		file, err := os.Open(o.state)
		if errors.Is(err, fs.ErrNotExist) {
			return config, close, nil // the first run
		}
		if err != nil {
			return config, close, err
		}
		defer file.Close()
		if err := config.LoadState(file); err != nil {
			return config, close, fmt.Errorf("%s: %w", o.state, err)
		}
	}
	return config, close, nil
}

// checkWritable makes sure that what is written at shutdown can be: then it would be too late to say so.
func (o *options) checkWritable() error {
	if o.export != "" {
		if err := os.MkdirAll(o.export, 0o755); err != nil {
			return err
		}
	}
	for _, path := range []string{o.state, o.configOut, exported(o.export, genesisFile), exported(o.export, chainFile)} {
		if path == "" {
			continue
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return fmt.Errorf("%s is a directory", path)
		}
		file, err := neighbour(path)
		if err != nil {
			return err
		}
		if err := errors.Join(file.Close(), os.Remove(file.Name())); err != nil {
			return err
		}
	}
	return nil
}

// save writes what --state loads at the next start, unless path is empty.
func save(path string, node *fakenode.Node, stderr io.Writer) error {
	if path == "" {
		return nil
	}
	return writeFile(path, func(w io.Writer) error {
		whole, err := node.SaveState(w)
		if err == nil && !whole {
			fmt.Fprintf(stderr, "fakenode: %s holds accounts without blocks: control methods edited the state or sent without a signature\n", path)
		}
		return err
	})
}

// The files of an export.
const (
	genesisFile = "genesis.json"
	chainFile   = "chain.rlp"
)

// exported is the path of a file in the export directory, empty without one.
func exported(directory, name string) string {
	if directory == "" {
		return ""
	}
	return filepath.Join(directory, name)
}

// export writes the main network's genesis and sealed blocks, as geth init and geth import take them, unless directory is
// empty.
func export(directory string, node *fakenode.Node, stderr io.Writer) error {
	if directory == "" {
		return nil
	}
	if err := node.Importable(); err != nil {
		fmt.Fprintf(stderr, "fakenode: other clients will not import %s: %v\n", directory, err)
	}
	chain := node.Moment().Chain()
	return errors.Join(
		writeFile(exported(directory, genesisFile), chain.ExportGenesis),
		writeFile(exported(directory, chainFile), chain.Export),
	)
}

// neighbour makes a file of a new name beside path.
func neighbour(path string) (*os.File, error) {
	return os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
}

// writeFile writes a file by way of a neighbour, so that a crash leaves the old one whole.
func writeFile(path string, write func(io.Writer) error) error {
	file, err := neighbour(path)
	if err != nil {
		return err
	}
	err = errors.Join(write(file), file.Chmod(0o644), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", path, err), os.Remove(file.Name()))
	}
	return nil
}
