package store

import (
	"fmt"
	"runtime/debug"
)

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
