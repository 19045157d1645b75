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
	_, err := check{raw, lenient}.value(0, layoutOf(reflect.TypeFor[T]()), false)
	return err
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
	raw     []byte
	lenient bool
}

// value checks the value that starts at i and returns the index after it. strict is that of the object around it.
func (c check) value(i int, l *layout, strict bool) (end int, err error) {
	switch {
	case l == nil:
		return skipValue(c.raw, i), nil
	case c.raw[i] == '[':
		return c.items(i, l, strict)
	case c.raw[i] == '{':
		if l.strict != nil {
			strict = l.strict(c.lenient)
		}
		return c.object(i, l, strict)
	}
	return skipValue(c.raw, i), nil
}

// part checks an item of an array or a value of a map.
func (c check) part(i int, l *layout, strict bool) (end int, err error) {
	if l != nil && l != anything && c.raw[i] == 'n' && !c.lenient {
		return 0, &memberError{problem: "null, want an object"}
	}
	return c.value(i, l, strict)
}

func (c check) items(i int, l *layout, strict bool) (end int, err error) {
	i = skipSpace(c.raw, i+1)
	for n := 0; c.raw[i] != ']'; n++ {
		if i, err = c.part(i, l, strict); err != nil {
			return 0, within(err, fmt.Sprintf("[%d]", n))
		}
		i = c.next(i)
	}
	return i + 1, nil
}

func (c check) object(i int, l *layout, strict bool) (end int, err error) {
	loose := c.lenient && !strict
	given := make([]bool, len(l.members))
	var keys keySet
	for i = skipSpace(c.raw, i+1); c.raw[i] != '}'; i = c.next(i) {
		end = skipString(c.raw, i)
		name := Unquote(c.raw[i:end])
		i = skipSpace(c.raw, skipSpace(c.raw, end)+1) // past the colon
		again := false
		if n, known := l.index[string(name)]; known {
			again, given[n] = given[n], true
			if i, err = c.value(i, l.members[n].of, strict); err != nil {
				err = within(err, "."+l.members[n].name)
			}
		} else if l.index != nil {
			err = l.unknown(name, strict, loose)
			i = skipValue(c.raw, i)
		} else {
			again = !loose && keys.has(name, l.key)
			if i, err = c.part(i, l.each, strict); err != nil {
				err = within(err, "."+Excerpt(name))
			}
		}
		switch {
		case again && !loose:
			return 0, &memberError{problem: fmt.Sprintf("member %q is given twice", Excerpt(name))}
		case err != nil:
			return 0, err
		}
	}
	return i + 1, nil
}

// next returns the index of the item or member after the one that ends at i, or of the end of the array or object.
func (c check) next(i int) int {
	if i = skipSpace(c.raw, i); c.raw[i] == ',' {
		return skipSpace(c.raw, i+1)
	}
	return i
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
