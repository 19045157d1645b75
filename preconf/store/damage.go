package store

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"

	bolterrors "go.etcd.io/bbolt/errors"
)

// described returns an error that names the file: a *DamageError if bbolt or guarded found damage.
func (s *Store) described(err error) error {
	var (
		fault  *faultError
		damage *DamageError
		at     *fs.PathError
	)
	switch {
	case err == nil, errors.As(err, &damage), errors.As(err, &at): // these errors name the file
		return err
	case errors.Is(err, bolterrors.ErrTimeout):
		return fmt.Errorf("%s: another process uses the file", s.path)
	case errors.As(err, &fault), errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum), errors.Is(err, bolterrors.ErrVersionMismatch):
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
	return fmt.Sprintf("its pages do not fit together (%v)", e.cause)
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
