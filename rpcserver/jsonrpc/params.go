package jsonrpc

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/fakenode/fakenode/internal/spelling"
)

// Method is a line of a method table: the function that serves a method, and the names of its parameters.
type Method[R any] struct {
	run func(*Request, R) (any, error)
	traits
}

type traits struct {
	names  []string // of the members of a parameter object, see Named
	exempt bool
}

// Named returns a method that also accepts its parameters as an object, with members of these names.
func (m Method[R]) Named(names ...string) Method[R] {
	m.names = names
	return m
}

// Exempt returns a method whose calls are neither recorded in the journal nor struck by faults.
func (m Method[R]) Exempt() Method[R] {
	m.exempt = true
	return m
}

// Answering returns a method that answers v when it succeeds.
func (m Method[R]) Answering(v any) Method[R] { return m.Mapped(func(R, any) any { return v }) }

// Mapped returns a method that answers the result of rewrite for its answer when it succeeds.
func (m Method[R]) Mapped(rewrite func(R, any) any) Method[R] {
	run := m.run
	m.run = func(r *Request, bound R) (any, error) {
		answer, err := run(r, bound)
		if err != nil {
			return nil, err
		}
		return rewrite(bound, answer), nil
	}
	return m
}

// Failing returns a method that answers as handle does for the error with which it fails.
func (m Method[R]) Failing(handle func(error) (any, error)) Method[R] {
	run := m.run
	m.run = func(r *Request, bound R) (any, error) {
		answer, err := run(r, bound)
		if err != nil {
			return handle(err)
		}
		return answer, nil
	}
	return m
}

// Before returns a method that gets the parameters that read returns, or fails with its error.
func (m Method[R]) Before(read func(bound R, params [][]byte) ([][]byte, error)) Method[R] {
	run := m.run
	m.run = func(r *Request, bound R) (any, error) {
		written := r.args
		defer func() { r.args = written }()
		var err error
		if r.args, err = read(bound, written); err != nil {
			return nil, err
		}
		return run(r, bound)
	}
	return m
}

// Hiding returns a method that answers null for parameters of which hidden reports so.
func (m Method[R]) Hiding(hidden func(params [][]byte) bool) Method[R] {
	run := m.run
	m.run = func(r *Request, bound R) (any, error) {
		if hidden(r.args) {
			return nil, nil
		}
		return run(r, bound)
	}
	return m
}

// Within returns a method that runs between begin and the function it returned. An error of begin is the answer.
func (m Method[R]) Within(begin func(R) (done func(), err error)) Method[R] {
	run := m.run
	m.run = func(r *Request, bound R) (any, error) {
		done, err := begin(bound)
		if err != nil {
			return nil, err
		}
		defer done()
		return run(r, bound)
	}
	return m
}

// Aliases returns rows by each of their names: a key of rows is one, or several with spaces between them.
func Aliases[Row any](rows map[string]Row) map[string]Row {
	byName := make(map[string]Row, len(rows))
	for names, row := range rows {
		for name := range strings.FieldsSeq(names) {
			byName[name] = row
		}
	}
	return byName
}

// Params0 returns a method without parameters.
func Params0[R any](f func(R) (any, error)) Method[R] {
	return Method[R]{run: func(r *Request, bound R) (any, error) {
		in := decoder{r: r}
		if err := in.finish(); err != nil {
			return nil, err
		}
		return f(bound)
	}}
}

// Params1 to Params4 return a method with parameters of these names: each parameter is decoded by its type, and
// missing, surplus and malformed ones are rejected with -32602, which names position and parameter. A pointer type
// makes a parameter optional: it is nil when absent or null.
func Params1[R, A any](f func(R, A) (any, error), a string) Method[R] {
	return Method[R]{run: func(r *Request, bound R) (any, error) {
		in := decoder{r: r}
		va := next[A](&in, a)
		if err := in.finish(); err != nil {
			return nil, err
		}
		return f(bound, va)
	}}
}

// Params2 is described at Params1.
func Params2[R, A, B any](f func(R, A, B) (any, error), a, b string) Method[R] {
	return Method[R]{run: func(r *Request, bound R) (any, error) {
		in := decoder{r: r}
		va, vb := next[A](&in, a), next[B](&in, b)
		if err := in.finish(); err != nil {
			return nil, err
		}
		return f(bound, va, vb)
	}}
}

// Params3 is described at Params1.
func Params3[R, A, B, C any](f func(R, A, B, C) (any, error), a, b, c string) Method[R] {
	return Method[R]{run: func(r *Request, bound R) (any, error) {
		in := decoder{r: r}
		va, vb, vc := next[A](&in, a), next[B](&in, b), next[C](&in, c)
		if err := in.finish(); err != nil {
			return nil, err
		}
		return f(bound, va, vb, vc)
	}}
}

// Params4 is described at Params1.
func Params4[R, A, B, C, D any](f func(R, A, B, C, D) (any, error), a, b, c, d string) Method[R] {
	return Method[R]{run: func(r *Request, bound R) (any, error) {
		in := decoder{r: r}
		va, vb, vc, vd := next[A](&in, a), next[B](&in, b), next[C](&in, c), next[D](&in, d)
		if err := in.finish(); err != nil {
			return nil, err
		}
		return f(bound, va, vb, vc, vd)
	}}
}

// decoder walks the parameters of one call and keeps the first error.
type decoder struct {
	r   *Request
	at  int
	err *Error
}

// next decodes the next parameter, which has that name. It returns a zero value once there has been an error.
func next[T any](d *decoder, name string) (value T) {
	i := d.at
	d.at++
	raw, e := d.r.args, d.r.endpoint
	switch {
	case d.err != nil:
	case i >= len(raw) || isNull(raw[i]):
		if reflect.TypeFor[T]().Kind() != reflect.Pointer {
			d.err = Errorf(CodeInvalidParams, "missing argument %d (%s) of %s: want %s", i, name, d.r.call.method, Wanted[T](e.api.TypeNames))
		}
	default:
		if err := Decode(raw[i], &value, e.api.Lenient); err != nil {
			d.err = Errorf(CodeInvalidParams, "invalid argument %d (%s) of %s: have %s (%s), want %s",
				i, name, d.r.call.method, Excerpt(raw[i]), Problem(err, e.api.TypeNames), Wanted[T](e.api.TypeNames))
		}
	}
	return value
}

// finish returns the first error; parameters left over are one.
func (d *decoder) finish() error {
	raw, most := d.r.args, d.at
	if d.err == nil && len(raw) > most {
		d.err = Errorf(CodeInvalidParams, "too many arguments of %s: have %d, want at most %d; argument %d is %s",
			d.r.call.method, len(raw), most, most, Excerpt(raw[most]))
	}
	if d.err == nil {
		return nil // not d.err: a nil *Error is not a nil error
	}
	return d.err
}

// Decode decodes one valid JSON value other than null into the value at into, after CheckMembers. A type that reads its
// own JSON is called without encoding/json's reflection.
func Decode[T any](raw []byte, into *T, lenient bool) error {
	if err := CheckMembers[T](raw, lenient); err != nil {
		return err
	}
	target := any(into)
	if t := reflect.TypeFor[T](); t.Kind() == reflect.Pointer {
		target = reflect.New(t.Elem()).Interface()
		*into = target.(T)
	}
	if own, ok := target.(json.Unmarshaler); ok {
		return own.UnmarshalJSON(raw)
	}
	return json.Unmarshal(raw, target)
}

// Problem returns the reason why a parameter did not decode, in JSON's terms, not Go's. names are those of Wanted.
func Problem(err error, names map[reflect.Type]string) string {
	var mismatch *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &mismatch):
		return err.Error()
	case mismatch.Field == "":
		return spelling.Untyped(mismatch.Value)
	}
	problem := mismatch.Field + " is " + spelling.Untyped(mismatch.Value)
	if _, own := reflect.Zero(mismatch.Type).Interface().(Described); own {
		return problem // which says what is wanted
	}
	return problem + ", want " + wanted(mismatch.Type, names)
}

// Wanted describes a parameter of type T: as it does itself, by name, or by the tag "wanted" of its first field.
func Wanted[T any](names map[reflect.Type]string) string { return wanted(reflect.TypeFor[T](), names) }

func wanted(t reflect.Type, names map[reflect.Type]string) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if own, ok := reflect.Zero(t).Interface().(Described); ok {
		return own.Wanted()
	}
	if name, ok := names[t]; ok {
		return name
	}
	if t.Kind() == reflect.Struct && t.NumField() > 0 {
		if said := t.Field(0).Tag.Get("wanted"); said != "" {
			return said
		}
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
