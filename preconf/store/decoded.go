package store

import (
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// decoded is a record that was read from the file.
type decoded struct {
	key, data []byte
	record                 // without the changes and the block's bytes
	bytes     int          // of the changes
	sealed    *chain.Block // nil: the record has none
	err       error
}

// decode reads the record without the changes of its State.
func (d *decoded) decode() error {
	data, err := unsealed(d.key, d.data)
	if err != nil {
		return err
	}
	if d.record, err = decodeRecord(data); err != nil {
		return err
	}
	if d.kind == kindBlock {
		d.sealed, err = chain.BlockFromRecord(d.block)
	}
	d.bytes, d.state.changes, d.block = len(d.state.changes), nil, nil // not kept in memory
	return err
}

// addRead adds a record that was read to the log.
func (n *Network) addRead(d *decoded) error {
	at := n.last() + 1
	if d.parent >= at || d.state.base >= at || d.state.of > at || d.kind != kindBlock && d.state.of == at {
		return errors.New("it refers to a later one")
	}
	n.blocks = append(n.blocks, d.sealed)
	switch d.kind {
	case kindForget:
		return n.forget(d.state.of)
	case kindBlock:
		n.add(d.entry(d.sealed.Hash()), 0, d.bytes)
	case kindState:
		n.add(d.entry(common.Hash{}), d.state.of, d.bytes)
	default:
		return fmt.Errorf("its kind is %d", d.kind)
	}
	return nil
}
