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

// journal holds the updates that wait until a slow disk has the file: a write to a file may wait for a sync of it, for
// its pages that are being written to the disk, and for all that other processes write. It is a second file, to which
// one short write appends an update. It exists only while the disk is slow.
//
// It is a sequence of frames. One with an update leads from where the file is before it to where it is after it. One
// with the result of wholeValue says where the file is between two updates: the first of them, before all, and wherever
// a commit ends. So the file tells which updates it lacks, whether or not a commit has ended, and none of a journal
// that is left over or belongs to another file.
type journal struct {
	path   string
	file   *os.File // nil: there is no journal
	frames uint64
	size   int
}

// mostWaiting is the number of bytes that the journal may have. With more the writer waits for the file.
const mostWaiting = 256 << 20

// errFull is returned by write for a journal of mostWaiting bytes.
var errFull = errors.New("too much waits for the disk")

// journalOf returns the path of a file's journal. It lies in the folder of the file itself, not of a link.
func journalOf(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	return path + ".journal"
}

// begin makes the journal, or makes it empty. whole describes the file without the waiting updates.
func (j *journal) begin(whole []byte) (err error) {
	if j.file == nil {
		j.file, err = os.OpenFile(j.path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|os.O_APPEND, 0o600)
	} else {
		err = j.file.Truncate(0)
	}
	if err != nil {
		return err
	}
	j.frames, j.size = 0, 0
	return j.write(whole)
}

// append adds an update to the journal.
func (j *journal) append(u update) error {
	data, err := rlp.EncodeToBytes(u)
	if err != nil {
		return err
	}
	return j.write(data)
}

// write adds a frame. After an error the journal takes no further ones: it may end in a part of one.
func (j *journal) write(data []byte) error {
	if j.size > mostWaiting {
		return errFull
	}
	key := frameKey(j.frames)
	frame := sealed(key, binary.BigEndian.AppendUint64(nil, uint64(len(data))+4)) // 4: of the checksum
	frame = append(frame, sealed(key, data)...)
	j.frames++
	j.size += len(frame)
	_, err := j.file.Write(frame)
	if err != nil {
		j.size = mostWaiting + 1
	}
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

// readJournal returns the updates in the journal at a path that a file lacks which is described by whole, up to a frame
// that is cut: the process was killed, or the disk was full. It returns none if there is no journal.
func readJournal(path string, whole []byte) (updates []update, err error) {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	found := false
	for n := uint64(0); len(data) >= headerSize; n++ {
		header, err := unsealed(frameKey(n), data[:headerSize])
		if err != nil {
			return nil, fmt.Errorf("frame %d: %w", n, err)
		}
		length := binary.BigEndian.Uint64(header)
		if data = data[headerSize:]; uint64(len(data)) < length {
			break
		}
		body, err := unsealed(frameKey(n), data[:length])
		if err != nil {
			return nil, fmt.Errorf("frame %d: %w", n, err)
		}
		data = data[length:]
		if len(body) == len(whole) && body[0] == 0 { // a number of a transaction; an update is an RLP list
			if bytes.Equal(body, whole) {
				found, updates = true, nil
			}
			continue
		}
		var u update
		if err := rlp.DecodeBytes(body, &u); err != nil {
			return nil, fmt.Errorf("frame %d: %w", n, err)
		}
		if found {
			updates = append(updates, u)
		}
	}
	return updates, nil
}

// replay puts the updates of a journal that is left over into the file, and reports whether there were any.
func (s *Store) replay() (bool, error) {
	updates, err := readJournal(s.journal.path, wholeValue(s.transaction, s.sum))
	if err != nil {
		return false, &DamageError{Path: s.path, Err: fmt.Errorf("its journal %s: %w", s.journal.path, err)}
	}
	if len(updates) == 0 {
		return false, nil
	}
	if err := s.openToWrite(); err != nil {
		return false, err
	}
	err = guarded(func() error { return s.commit(updates, func(int, sum) {}) })
	return true, errors.Join(s.described(err), s.db.Close())
}
