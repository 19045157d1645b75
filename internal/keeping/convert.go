package keeping

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/fakenode/fakenode/preconf/store"
)

// NoExportError is returned by Open for a file of JSON that is no Export.
type NoExportError struct {
	Path string
	Err  error
}

func (e *NoExportError) Error() string { return fmt.Sprintf("%s: %v", e.Path, e.Err) }

// Unwrap returns the cause.
func (e *NoExportError) Unwrap() error { return e.Err }

// convert returns a node on the Export in the file of o.Path, and keeps it there in the present format. The file as it
// was stays beside it. It is not touched before its blocks are executed.
func (o Options) convert() (*File, error) {
	if o.Fork != nil {
		return nil, errNoFork(o.Path)
	}
	path, err := store.Path(o.Path)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if err := (loader{Options: o, path: o.Path}).checkRules(Ethereum); err != nil {
		return nil, err
	}
	export, err := ReadExport(bytes.NewReader(text))
	if err != nil {
		return nil, &NoExportError{o.Path, err}
	}
	if is, want := export.chainID(), o.Expected.ChainID; want != 0 && is != want {
		return nil, fmt.Errorf("chain id %d differs from that of %s", want, o.Path)
	}
	chains, err := o.Begin(export)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Path, err)
	}
	if err := replaceOld(path, text); err != nil {
		return nil, err
	}
	kept, err := store.Open(path, o.storeOptions())
	if err != nil {
		return nil, err
	}
	f := newFile(kept, o)
	if err := f.begin(o, chains); err != nil {
		return nil, errors.Join(err, kept.Close())
	}
	return f, nil
}

// oldSuffix ends the name of the copy that replaceOld makes.
const oldSuffix = ".old"

// replaceOld copies a file to one beside it and then empties it. It is emptied in place, because a file that is mounted
// into a container cannot be replaced.
func replaceOld(path string, text []byte) error {
	copied, err := os.OpenFile(path+oldSuffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("%s has the format of an earlier version, and no copy of it can be made before it is converted: %w", path, err)
	}
	_, err = io.Copy(copied, bytes.NewReader(text))
	if err := errors.Join(err, copied.Sync(), copied.Close()); err != nil {
		return errors.Join(err, os.Remove(copied.Name()))
	}
	return os.Truncate(path, 0)
}
