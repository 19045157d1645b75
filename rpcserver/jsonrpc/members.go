package jsonrpc

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
)

// Holder is implemented by parameter types with JSON of their own in which there may be objects.
type Holder interface {
	// Held returns the type of these objects as a value of it, nil if there are none.
	Held() any
}

// CheckMembers checks the members of all objects in raw, one valid JSON value that is decoded into a T: none may be
// given twice or under its name in another case, or be unknown to a Strict object, and no object may be null in an
// array or a map. If lenient, only a Strict object is checked: encoding/json decodes the others as go-ethereum does.
func CheckMembers[T any](raw []byte, lenient bool) error {
	if c := raw[0]; c != '{' && c != '[' {
		return nil
	}
	in := read(raw)
	defer in.release()
	return check{in, lenient}.next(layoutOf(reflect.TypeFor[T]()), false)
}

// layout describes the objects in the JSON of a type; an array has the layout of its items.
type layout struct {
	members []member
	index   map[string]int          // of members by their names; nil: any names are members
	key     reflect.Type            // of the keys of a map; nil: text
	each    *layout                 // of the members if there are no names; nil: they are not checked
	strict  func(lenient bool) bool // of a Strict type; nil: as the object around it
}

type member struct {
	name string
	of   *layout
}

var layouts sync.Map

func layoutOf(t reflect.Type) *layout {
	if known, ok := layouts.Load(t); ok {
		return known.(*layout)
	}
	l := newLayout(t)
	layouts.Store(t, l)
	return l
}

// anything is the layout of JSON that is not decoded yet.
var anything = func() *layout {
	l := new(layout)
	l.each = l
	return l
}()

// newLayout returns the layout of a type, which must not contain itself; nil if its JSON has no objects to check.
func newLayout(t reflect.Type) *layout {
	if t.Kind() == reflect.Pointer {
		return newLayout(t.Elem())
	}
	var l *layout
	value := reflect.Zero(t).Interface()
	switch holder, holds := value.(Holder); {
	case holds:
		held := holder.Held()
		if held == nil {
			return nil
		}
		l = newLayout(reflect.TypeOf(held))
	case t == reflect.TypeFor[json.RawMessage](), t.Kind() == reflect.Interface:
		return anything
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Array:
		return newLayout(t.Elem())
	case t.Kind() == reflect.Map:
		l = &layout{key: t.Key(), each: newLayout(t.Elem())}
	case t.Kind() == reflect.Struct:
		l = &layout{index: make(map[string]int)}
		l.addFields(t)
	}
	if l == nil || l.index != nil && len(l.index) == 0 {
		return nil
	}
	if strict, ok := value.(Strict); ok {
		own := *l
		own.strict = strict.Strict
		l = &own
	}
	return l
}

// addFields adds the fields of a structure that have names in JSON, also those of structures embedded in it.
func (l *layout) addFields(t reflect.Type) {
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "" && field.Anonymous && field.Type.Kind() == reflect.Struct:
			l.addFields(field.Type)
		case name != "" && name != "-":
			l.index[name] = len(l.members)
			l.members = append(l.members, member{name, newLayout(field.Type)})
		}
	}
}

func (l *layout) names() string {
	names := make([]string, len(l.members))
	for i, m := range l.members {
		names[i] = m.name
	}
	return strings.Join(names, ", ")
}

// memberError is an error in an object, whose place is a path such as "blockStateCalls[0].calls[1]".
type memberError struct{ place, problem string }

func (e *memberError) Error() string {
	if e.place == "" {
		return e.problem
	}
	return strings.TrimPrefix(e.place, ".") + ": " + e.problem
}

// within adds the place of what err is about.
func within(err error, place string) error {
	if inner, ok := errors.AsType[*memberError](err); ok {
		return &memberError{place + inner.place, inner.problem}
	}
	return err
}

type check struct {
	reader
	lenient bool
}

// next checks the next value. strict is that of the object around it.
func (c check) next(l *layout, strict bool) error {
	switch kind := c.PeekKind(); {
	case l != nil && kind == '[':
		return c.items(l, strict)
	case l != nil && kind == '{':
		if l.strict != nil {
			strict = l.strict(c.lenient)
		}
		return c.object(l, strict)
	}
	return c.SkipValue()
}

// part checks an item of an array or a value of a map.
func (c check) part(l *layout, strict bool) error {
	if l != nil && l != anything && c.PeekKind() == 'n' && !c.lenient {
		return &memberError{problem: "null, want an object"}
	}
	return c.next(l, strict)
}

func (c check) items(l *layout, strict bool) error {
	_, _ = c.ReadToken()
	for n := 0; c.PeekKind() != ']'; n++ {
		if err := c.part(l, strict); err != nil {
			return within(err, fmt.Sprintf("[%d]", n))
		}
	}
	_, err := c.ReadToken()
	return err
}

func (c check) object(l *layout, strict bool) (err error) {
	loose := c.lenient && !strict
	given := make([]bool, len(l.members))
	var keys keySet
	for _, _ = c.ReadToken(); c.PeekKind() != '}'; {
		name := Unquote(c.value())
		again := false
		if n, known := l.index[string(name)]; known {
			again, given[n] = given[n], true
			err = within(c.next(l.members[n].of, strict), "."+l.members[n].name)
		} else if l.index != nil {
			err = l.unknown(name, strict, loose)
			_ = c.SkipValue()
		} else {
			again = !loose && keys.has(name, l.key)
			err = within(c.part(l.each, strict), "."+Excerpt(name))
		}
		switch {
		case again && !loose:
			return &memberError{problem: fmt.Sprintf("member %q is given twice", Excerpt(name))}
		case err != nil:
			return err
		}
	}
	_, err = c.ReadToken()
	return err
}

// unknown returns the error of a member that l does not have.
func (l *layout) unknown(name []byte, strict, loose bool) error {
	want := ""
	if strict {
		want = l.names()
	}
	for _, m := range l.members {
		if !loose && strings.EqualFold(m.name, string(name)) {
			want = strconv.Quote(m.name)
		}
	}
	if want == "" {
		return nil
	}
	return &memberError{problem: fmt.Sprintf("member %q is unknown, want %s", Excerpt(name), want)}
}

type keySet map[any]struct{}

// has reports whether the set has the key that name is, and adds it. Keys are equal if they are decoded to the same key
// of a map with keys of type t; nil: text.
func (s *keySet) has(name []byte, t reflect.Type) bool {
	var key any = string(name)
	if t != nil {
		decoded := reflect.New(t)
		if text, ok := decoded.Interface().(encoding.TextUnmarshaler); ok && text.UnmarshalText(name) == nil {
			key = decoded.Elem().Interface()
		}
	}
	if *s == nil {
		*s = make(keySet)
	}
	_, has := (*s)[key]
	(*s)[key] = struct{}{}
	return has
}
