package trace

import (
	"cmp"
	"fmt"
)

// PanicError is returned if the tracer panics. Some of go-ethereum's tracers do for invalid code: they read the
// arguments of a call before the EVM has checked that they are on the stack.
type PanicError struct {
	// Tracer is the name of the tracer, or its source in JavaScript, which may be long. It is empty for the struct logger.
	Tracer string
	// Cause is the value that the tracer panicked with.
	Cause any
}

// Error names the tracer and the cause.
func (e *PanicError) Error() string {
	return fmt.Sprintf("tracer %.100s panicked: %v", cmp.Or(e.Tracer, "structLogger"), e.Cause)
}

// Unwrap returns the cause if it is an error, else nil.
func (e *PanicError) Unwrap() error {
	err, _ := e.Cause.(error)
	return err
}

// guard calls f, and returns a *PanicError if the tracer that f runs panics.
func guard[T any](c *Config, f func() (T, error)) (value T, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = &PanicError{Tracer: c.Tracer, Cause: cause}
		}
	}()
	return f()
}
