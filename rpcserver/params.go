package rpcserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// handler answers one call: params are its positional parameters, each one valid JSON value that must
// not be kept. The result is anything encoding/json can encode, or a jsonAppender.
type handler func(r *request, params [][]byte) (any, error)

// param describes one positional parameter of a method.
type param struct {
	name     string
	optional bool // of pointer type: nil when absent or null
}

func describe[T any](name string) param {
	return param{name: name, optional: reflect.TypeFor[T]().Kind() == reflect.Pointer}
}

// params0 adapts a method without parameters.
func params0(f func(*request) (any, error)) handler {
	return func(r *request, raw [][]byte) (any, error) {
		if len(raw) > 0 {
			return nil, surplus(r, raw, nil)
		}
		return f(r)
	}
}

// params1 to params4 adapt a method function to the table: they decode each parameter by its type and
// refuse missing, surplus and malformed ones with -32602, naming position and parameter. A pointer type
// makes a parameter optional.
func params1[A any](f func(*request, A) (any, error), a string) handler {
	want := []param{describe[A](a)}
	return func(r *request, raw [][]byte) (any, error) {
		d := decoder{r: r, raw: raw, want: want}
		va := next[A](&d)
		if err := d.finish(); err != nil {
			return nil, err
		}
		return f(r, va)
	}
}

func params2[A, B any](f func(*request, A, B) (any, error), a, b string) handler {
	want := []param{describe[A](a), describe[B](b)}
	return func(r *request, raw [][]byte) (any, error) {
		d := decoder{r: r, raw: raw, want: want}
		va, vb := next[A](&d), next[B](&d)
		if err := d.finish(); err != nil {
			return nil, err
		}
		return f(r, va, vb)
	}
}

func params3[A, B, C any](f func(*request, A, B, C) (any, error), a, b, c string) handler {
	want := []param{describe[A](a), describe[B](b), describe[C](c)}
	return func(r *request, raw [][]byte) (any, error) {
		d := decoder{r: r, raw: raw, want: want}
		va, vb, vc := next[A](&d), next[B](&d), next[C](&d)
		if err := d.finish(); err != nil {
			return nil, err
		}
		return f(r, va, vb, vc)
	}
}

func params4[A, B, C, D any](f func(*request, A, B, C, D) (any, error), a, b, c, d string) handler {
	want := []param{describe[A](a), describe[B](b), describe[C](c), describe[D](d)}
	return func(r *request, raw [][]byte) (any, error) {
		d := decoder{r: r, raw: raw, want: want}
		va, vb, vc, vd := next[A](&d), next[B](&d), next[C](&d), next[D](&d)
		if err := d.finish(); err != nil {
			return nil, err
		}
		return f(r, va, vb, vc, vd)
	}
}

// decoder walks the parameters of one call and keeps the first error.
type decoder struct {
	r    *request
	raw  [][]byte
	want []param
	at   int
	err  *Error
}

// next decodes the next parameter; a zero value once there has been an error.
func next[T any](d *decoder) (value T) {
	i := d.at
	d.at++
	switch {
	case d.err != nil:
	case i >= len(d.raw) || isNull(d.raw[i]):
		if !d.want[i].optional {
			d.err = invalidParams("missing argument %d (%s) of %s: want %s", i, d.want[i].name, d.r.method, wanted[T]())
		}
	default:
		if err := decode(d.r.network.Profile, d.raw[i], &value); err != nil {
			d.err = invalidParams("invalid argument %d (%s) of %s: have %s (%s), want %s",
				i, d.want[i].name, d.r.method, excerpt(d.raw[i]), problem(err), wanted[T]())
		}
	}
	return value
}

// finish returns the first error; parameters left over are one.
func (d *decoder) finish() error {
	if d.err == nil && len(d.raw) > len(d.want) {
		d.err = surplus(d.r, d.raw, d.want)
	}
	if d.err == nil {
		return nil // not d.err: a nil *Error is not a nil error
	}
	return d.err
}

func surplus(r *request, raw [][]byte, want []param) *Error {
	return invalidParams("too many arguments of %s: have %d, want at most %d; argument %d is %s",
		r.method, len(raw), len(want), len(want), excerpt(raw[len(want)]))
}

// decode reads one parameter, the frequent types without encoding/json's reflection. An object that knows
// all its members refuses others: a misspelt one would silently be another call. geth ignores them.
func decode[T any](profile Profile, raw []byte, into *T) error {
	switch v := any(into).(type) {
	case *blockTag:
		return v.UnmarshalJSON(raw)
	case **blockTag:
		*v = new(blockTag)
		return (*v).UnmarshalJSON(raw)
	case *common.Address:
		return v.UnmarshalJSON(raw)
	case *common.Hash:
		return v.UnmarshalJSON(raw)
	case *hexutil.Bytes:
		return v.UnmarshalJSON(raw)
	}
	if _, ok := any(*into).(interface{ allKnown() }); ok && profile == Spec {
		return strictly(raw, into)
	}
	return json.Unmarshal(raw, into)
}

// strictly decodes an object that knows all its members: a misspelt one would otherwise be a test that does
// something else than it says.
func strictly(raw []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

// problem says in the client's words, not Go's, why a parameter did not decode.
func problem(err error) string {
	var mismatch *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &mismatch):
		return err.Error()
	case mismatch.Field != "":
		return mismatch.Field + " is " + mismatch.Value
	}
	return mismatch.Value
}

// wanted says in words what a parameter of type T looks like.
func wanted[T any]() string {
	t := reflect.TypeFor[T]()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch v := reflect.Zero(t).Interface().(type) {
	case interface{ wanted() string }:
		return v.wanted()
	case common.Address:
		return "an address (20 bytes in hex)"
	case common.Hash:
		return "a hash (32 bytes in hex)"
	case hexutil.Uint64, hexutil.Uint, hexutil.Big, hexutil.U256:
		return "a hex quantity without leading zeros"
	case hexutil.Bytes:
		return "bytes in hex"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return "a value"
}
