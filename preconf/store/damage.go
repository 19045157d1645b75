package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"strings"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// described returns an error that names the file: a *DamageError if bbolt or guarded found damage.
func (s *Store) described(err error) error {
	switch {
	case err == nil, errors.As(err, new(*DamageError)), errors.As(err, new(*fs.PathError)): // these errors name the file
		return err
	case errors.Is(err, bolterrors.ErrTimeout):
		return fmt.Errorf("%s: another process uses the file", s.path)
	case errors.As(err, new(*faultError)), errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum), errors.Is(err, bolterrors.ErrVersionMismatch):
		return &DamageError{Path: s.path, Err: err}
	}
	return fmt.Errorf("%s: %w", s.path, err)
}

// DamageError reports a file that does not hold the values that were written to it.
type DamageError struct {
	Path    string
	Network string // empty: the file as a whole
	Err     error
}

func (e *DamageError) Error() string {
	if e.Network == "" {
		return fmt.Sprintf("%s is damaged: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s is damaged: network %s: %v", e.Path, e.Network, e.Err)
}

// Unwrap returns the cause.
func (e *DamageError) Unwrap() error { return e.Err }

// faultError is a panic or a memory fault while reading: bbolt trusts its file.
type faultError struct{ cause any }

func (e *faultError) Error() string {
	return fmt.Sprintf("its pages do not fit together (%s)", strings.TrimPrefix(fmt.Sprint(e.cause), "assertion failed: "))
}

// guarded calls f and returns its error, or a *faultError if f panics or reads beyond the end of the file.
func guarded(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil {
			err = &faultError{cause}
		}
	}()
	return f()
}

// The parts of bbolt's file format that pages needs. Numbers are in the machine's byte order.
const (
	pageHeader   = 16 // id 8, flags 2, count 2, overflow 4
	branchFlag   = 1
	leafFlag     = 2
	elementSize  = 16 // in a branch: position 4, length of the key 4, child 8; in a leaf: flags 4, position, two lengths
	bucketFlag   = 1
	metaRootAt   = pageHeader + 16
	metaPagesAt  = metaRootAt + 24
	metaChecksum = metaPagesAt + 16
)

// errCycle reports pages that bbolt would walk for ever.
var errCycle = errors.New("two of its pages lead to the same one")

// pages checks that the pages of a file make a tree: bbolt trusts them, and never ends if they lead back.
type pages struct {
	file    io.ReaderAt
	size    int64  // of a page
	count   uint64 // of pages
	visited map[uint64]bool
}

// checkPages returns errCycle if the pages that a transaction reads do not make a tree.
func (s *Store) checkPages(tx *bbolt.Tx) error {
	file, err := os.Open(s.path)
	if err != nil {
		return err
	}
	defer file.Close()
	p := pages{file: file, size: int64(tx.DB().Info().PageSize), visited: make(map[uint64]bool)}
	meta, err := p.read(uint64(tx.ID()%2), metaChecksum)
	if err != nil {
		return err
	}
	p.count = binary.NativeEndian.Uint64(meta[metaPagesAt:])
	return p.visit(binary.NativeEndian.Uint64(meta[metaRootAt:]))
}

// read returns the first bytes of a page.
func (p *pages) read(id uint64, length int64) ([]byte, error) {
	data := make([]byte, length)
	_, err := p.file.ReadAt(data, int64(id)*p.size)
	return data, err
}

// visit visits a page and those below it. It skips pages at which bbolt panics.
func (p *pages) visit(id uint64) error {
	if id >= p.count {
		return nil
	}
	if p.visited[id] {
		return fmt.Errorf("page %d: %w", id, errCycle)
	}
	p.visited[id] = true
	page, err := p.read(id, p.size)
	if err != nil {
		return nil
	}
	flags, count := binary.NativeEndian.Uint16(page[8:]), int64(binary.NativeEndian.Uint16(page[10:]))
	if end := pageHeader + count*elementSize; end > p.size { // the elements go on in pages that overflow
		if page, err = p.read(id, end); err != nil {
			return nil
		}
	}
	for at := int64(pageHeader); at < pageHeader+count*elementSize; at += elementSize {
		child := uint64(0)
		switch {
		case flags == branchFlag:
			child = binary.NativeEndian.Uint64(page[at+8:])
		case flags == leafFlag && binary.NativeEndian.Uint32(page[at:])&bucketFlag != 0:
			child = p.rootOf(id, at, page[at:])
		}
		if child == 0 { // a value, or a bucket inside the page
			continue
		}
		if err := p.visit(child); err != nil {
			return err
		}
	}
	return nil
}

// rootOf returns the page that the bucket of an element begins with, 0 if it is inside its parent's page.
func (p *pages) rootOf(id uint64, at int64, element []byte) uint64 {
	value := int64(binary.NativeEndian.Uint32(element[4:])) + int64(binary.NativeEndian.Uint32(element[8:]))
	var root [8]byte
	if _, err := p.file.ReadAt(root[:], int64(id)*p.size+at+value); err != nil {
		return 0
	}
	return binary.NativeEndian.Uint64(root[:])
}

// metaMagic is in the first two pages of a bbolt file, and in no other, at metaAt.
const (
	metaMagic = 0xED0CDAED
	metaAt    = 16
)

// checkEnd rejects a file to which part of a page or another store was appended. Unused pages at the end are allowed: a
// process that was killed may have been about to use them.
func (s *Store) checkEnd(tx *bbolt.Tx) error {
	file, err := os.Open(s.path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	page := int64(tx.DB().Info().PageSize)
	if over := info.Size() % page; over != 0 {
		return &DamageError{Path: s.path, Err: fmt.Errorf("%d bytes follow its last page", over)}
	}
	var magic [4]byte
	for at := tx.Size(); at < info.Size(); at += page {
		if _, err := file.ReadAt(magic[:], at+metaAt); err != nil {
			return err
		}
		if binary.NativeEndian.Uint32(magic[:]) == metaMagic {
			return &DamageError{Path: s.path, Err: fmt.Errorf("another store follows at byte %d", at)}
		}
	}
	return nil
}
