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

// save writes what --state loads at the next start.
func save(path string, node *fakenode.Node, stdout io.Writer) error {
	return writeFile(path, func(w io.Writer) error {
		whole, err := node.SaveState(w)
		if err == nil && !whole {
			fmt.Fprintln(stdout, "state was edited by control methods: saved accounts without blocks")
		}
		return err
	})
}

// export writes the main network's genesis and sealed blocks, as geth init and geth import take them.
func export(directory string, node *fakenode.Node) error {
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return err
	}
	chain := node.Moment().Chain()
	return errors.Join(
		writeFile(filepath.Join(directory, "genesis.json"), chain.ExportGenesis),
		writeFile(filepath.Join(directory, "chain.rlp"), chain.Export),
	)
}

// writeFile writes a file by way of a neighbour, so that a crash leaves the old one whole.
func writeFile(path string, write func(io.Writer) error) error {
	temporary := path + ".new"
	file, err := os.Create(temporary)
	if err != nil {
		return err
	}
	if err := errors.Join(write(file), file.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return os.Rename(temporary, path)
}
