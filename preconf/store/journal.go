package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ethereum/go-ethereum/rlp"
)

// journal holds the updates that wait until a sync of the file ends, because on some file systems (FUSE, 9P, network
// file systems) a write to a file waits for that. It is a second file, which exists only while updates wait.
//
// It is a sequence of frames. The first holds the result of whole from when the journal was begun, which identifies a
// journal that is left over or belongs to another file. Each further frame holds an update.
type journal struct {
	path   string
	file   *os.File // nil: there is no journal
	frames uint64
	size   int
}

// mostWaiting is the number of bytes of updates that may wait in the journal. With more the writer waits, too.
const mostWaiting = 256 << 20

// errFull is returned by append for a journal of mostWaiting bytes.
var errFull = errors.New("too much waits for the disk")

// journalOf returns the path of a file's journal. It lies in the folder of the file itself, not of a link.
func journalOf(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	return path + ".journal"
}

// append adds an update to the journal, which it makes if there is none, of a file as whole describes it.
func (j *journal) append(whole []byte, u update) error {
	if j.size > mostWaiting {
		return errFull
	}
	data, err := rlp.EncodeToBytes(u)
	if err != nil {
		return err
	}
	if j.file == nil {
		if j.file, err = os.OpenFile(j.path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600); err != nil {
			return err
		}
		if err := j.write(whole); err != nil {
			return err
		}
	}
	return j.write(data)
}

func (j *journal) write(data []byte) error {
	frame := append(frameHeader(j.frames, len(data)), sealed(frameKey(j.frames), data)...)
	j.frames++
	j.size += len(frame)
	_, err := j.file.Write(frame)
	return err
}

// remove removes the journal. On some file systems it has to wait for the disk.
func (j *journal) remove() error {
	if j.file == nil {
		return nil
	}
	err := errors.Join(j.file.Close(), removeIfThere(j.path))
	*j = journal{path: j.path}
	return err
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// frameKey returns the key for the checksums of a frame, which holds its number.
func frameKey(n uint64) []byte { return append([]byte("journal 1 "), key(n)...) }

// headerSize is the size of a frame's header: a checksum and the length of the data.
const headerSize = 12

func frameHeader(n uint64, length int) []byte {
	return sealed(frameKey(n), binary.BigEndian.AppendUint64(nil, uint64(length)+4)) // 4: of the checksum
}

// readJournal returns the whole that the journal at a path begins with, and its updates, up to a frame that is cut: the
// process was killed, or the disk was full. It returns nothing if there is no journal.
func readJournal(path string) (whole []byte, updates []update, err error) {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	for n := uint64(0); len(data) >= headerSize; n++ {
		header, err := unsealed(frameKey(n), data[:headerSize])
		if err != nil {
			return nil, nil, fmt.Errorf("frame %d: %w", n, err)
		}
		length := binary.BigEndian.Uint64(header)
		if data = data[headerSize:]; uint64(len(data)) < length {
			break
		}
		body, err := unsealed(frameKey(n), data[:length])
		if err != nil {
			return nil, nil, fmt.Errorf("frame %d: %w", n, err)
		}
		if data = data[length:]; n == 0 {
			whole = body
			continue
		}
		var u update
		if err := rlp.DecodeBytes(body, &u); err != nil {
			return nil, nil, fmt.Errorf("frame %d: %w", n, err)
		}
		updates = append(updates, u)
	}
	return whole, updates, nil
}

// replay puts the updates of a journal that is left over into the file, and reports whether there were any.
func (s *Store) replay() (bool, error) {
	whole, updates, err := readJournal(s.journal.path)
	if err != nil {
		return false, &DamageError{Path: s.path, Err: fmt.Errorf("its journal %s: %w", s.journal.path, err)}
	}
	if len(updates) == 0 || !bytes.Equal(whole, s.whole()) {
		return false, nil
	}
	if err := s.openToWrite(); err != nil {
		return false, err
	}
	err = guarded(func() error { return s.commit(updates) })
	return true, errors.Join(s.described(err), s.db.Close())
}
