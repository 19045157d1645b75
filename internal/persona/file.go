package persona

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/spelling"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/dialect"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
	"github.com/fakenode/fakenode/tokencontract"
)

// Read reads a persona from a file: JSON as Write writes it, or an entry of the superchain registry, of which it takes
// the hard fork at a time. The error names the member that is wrong, and what it may be.
func Read(r io.Reader, at time.Time) (Persona, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return Persona{}, err
	}
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return readEntry(text, at)
	}
	var given map[string]jsontext.Value
	if err := jsonv2.Unmarshal(text, &given); err != nil {
		return Persona{}, fmt.Errorf("no JSON: %s", strings.TrimPrefix(err.Error(), "jsontext: "))
	}
	like := "dev"
	if raw, is := given["like"]; is {
		if json.Unmarshal(raw, &like) != nil || Named(like) == nil {
			return Persona{}, fmt.Errorf("like: %s: want %s", raw, anyOf(Names()))
		}
		delete(given, "like")
	}
	p := *Named(like)
	all := members(&p)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		i := slices.IndexFunc(all, func(m member) bool { return m.name == name })
		if i < 0 {
			return p, unknownMember(name, all)
		}
		if err := all[i].parse(given[name]); err != nil {
			return p, fmt.Errorf("%s: %s: %w", name, given[name], err)
		}
	}
	return p, nil
}

func unknownMember(name string, all []member) error {
	names := []string{"like"}
	for _, m := range all {
		names = append(names, m.name)
	}
	if near := spelling.Nearest(name, slices.Values(names)); near != "" {
		return fmt.Errorf("%s: unknown: did you mean %s?", name, near)
	}
	return fmt.Errorf("%s: unknown: want %s", name, strings.Join(names, ", "))
}

// Write writes the persona as a JSON object: the name of the one that is most like it, and what differs.
func (p Persona) Write(w io.Writer) error {
	var shortest []string
	for _, like := range all {
		lines := []string{fmt.Sprintf("  \"like\": %q", like.name)}
		others := members(&like.is)
		for i, m := range members(&p) {
			if !reflect.DeepEqual(m.Interface(), others[i].Interface()) {
				lines = append(lines, fmt.Sprintf("  %q: %s", m.name, m.text()))
			}
		}
		if shortest == nil || len(lines) < len(shortest) {
			shortest = lines
		}
	}
	_, err := fmt.Fprintf(w, "{\n%s\n}\n", strings.Join(shortest, ",\n"))
	return err
}

// member is a value of a persona with its name in a file, which is that of its flag if there is one.
type member struct {
	name string
	reflect.Value
}

// otherNames are the names in a file of the fields that have another in Go. Those with an empty one are left out: they
// follow from others.
var otherNames = map[string]string{
	"Mode": "seal", "Denominator": "fee-denominator", "Elasticity": "fee-elasticity", "Frames": "flashblocks-metadata",
	"CodeLimit": "code-size-limit", "Forms": "compat", "Optimism": "", "Lenient": "", "Track": "", "Errors": "",
}

var inName = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// members returns the values of p that a file can name.
func members(p *Persona) []member { return membersOf(reflect.ValueOf(p).Elem(), "") }

func membersOf(of reflect.Value, prefix string) (all []member) {
	for i := range of.NumField() {
		value, field := of.Field(i), of.Type().Field(i).Name
		name, other := otherNames[field]
		if !other {
			name = strings.ToLower(inName.ReplaceAllString(field, "$1-$2"))
		}
		switch {
		case field == "Bridge":
			all = append(all, membersOf(value, "bridge-")...)
		case value.Kind() == reflect.Struct && !other:
			all = append(all, membersOf(value, prefix)...)
		case name != "":
			all = append(all, member{prefix + name, value})
		}
	}
	return all
}

// choice is a value that has a name.
type choice struct {
	name  string
	value any
}

// choices are the values of types that have few.
var choices = slices.Concat(
	[]choice{
		{"interval", control.Interval}, {"instant", control.Instant}, {"manual", control.Manual},
		{"fifo", pool.FIFO}, {"fees", pool.Fees}, {"sender", pool.BySender}, {"fee-cap", pool.FeeCap},
		{"strict", tokencontract.Strict}, {"documented", tokencontract.DocumentedFlow}, {"native", tokencontract.Native},
		{"zero", preconf.ZeroHash}, {"so-far", preconf.HashSoFar}, {"none", preconf.NoHash},
		{"spec", api.Forms{}}, {"geth", gethForms}, {"anvil", anvilForms},
	},
	named(api.Preconfs()), named(api.SendSyncs()), named(flashblocks.AllMetadata()),
	named([]dialect.Node{dialect.Anvil, dialect.Hardhat, dialect.Geth, dialect.MegaETH, dialect.Arc, dialect.Monad}),
)

func named[Name ~string](of []Name) (all []choice) {
	for _, name := range of {
		all = append(all, choice{string(name), name})
	}
	return all
}

// choices returns the values that m can have, nil for any.
func (m member) choices() (of []choice) {
	for _, c := range choices {
		if reflect.TypeOf(c.value) == m.Type() {
			of = append(of, c)
		}
	}
	return of
}

// anyOf returns names as a text: "a", "b" or "c".
func anyOf(names []string) string {
	var quoted []string
	for _, name := range names {
		quoted = append(quoted, fmt.Sprintf("%q", name))
	}
	last := len(quoted) - 1
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}

// text returns the value as a file has it; null stands for one that is left out.
func (m member) text() []byte {
	shown := m.Interface()
	if i := slices.IndexFunc(m.choices(), func(c choice) bool { return c.value == shown }); i >= 0 {
		shown = m.choices()[i].name
	} else if m.IsZero() && m.choices() != nil {
		shown = nil
	}
	switch value := shown.(type) {
	case time.Duration:
		if shown = value.String(); value == preconf.NoFlashblocks {
			shown = "none"
		}
	case *uint256.Int:
		if value != nil {
			ether := new(big.Rat).SetFrac(value.ToBig(), big.NewInt(1e18)).FloatString(18)
			shown = strings.TrimSuffix(strings.TrimRight(ether, "0"), ".")
		}
	case []byte:
		shown = hexutil.Bytes(value)
	case evmstate.CodeLimit, chain.TxGasLimit:
		if m.Uint() == math.MaxUint64 {
			shown = 0 // any, as with the flags
		} else if m.Uint() == 0 {
			shown = nil
		}
	}
	text, err := json.Marshal(shown)
	if err != nil {
		panic(fmt.Sprintf("%s cannot be written: %v", m.name, err))
	}
	return text
}

// parse sets the value. The error says what it may be.
func (m member) parse(raw []byte) error {
	m.SetZero() // what a pointer points to is another persona's
	if string(raw) == "null" {
		return nil
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw) // a number
	}
	if of := m.choices(); of != nil {
		var names []string
		for _, c := range of {
			if names = append(names, c.name); c.name == text {
				m.Set(reflect.ValueOf(c.value))
				return nil
			}
		}
		return fmt.Errorf("want %s", anyOf(names))
	}
	switch into := m.Addr().Interface().(type) {
	case *time.Duration:
		d, err := time.ParseDuration(text)
		if m.name == "flashblock-time" && text == "none" {
			d, err = preconf.NoFlashblocks, nil
		} else if d < 0 || err != nil {
			return fmt.Errorf("want a time with its unit, such as 2s or 200ms")
		}
		*into = d
		return nil
	case **uint256.Int:
		ether, err := fixtures.ParseEther(text)
		*into = ether
		return err
	case *[]byte:
		return json.Unmarshal(raw, (*hexutil.Bytes)(into))
	}
	if err := json.Unmarshal(raw, m.Addr().Interface()); err != nil {
		return m.wanted(err)
	}
	if t := m.Type(); m.IsZero() && (t == reflect.TypeFor[evmstate.CodeLimit]() || t == reflect.TypeFor[chain.TxGasLimit]()) {
		m.SetUint(math.MaxUint64)
	}
	return nil
}

// wanted returns the error of a value of another type or size than err is about.
func (m member) wanted(err error) error {
	of := m.Type()
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	switch of.Kind() {
	case reflect.Bool:
		return fmt.Errorf("want true or false")
	case reflect.String:
		return fmt.Errorf("want a text")
	case reflect.Uint32, reflect.Uint64:
		return fmt.Errorf("want a whole number up to %d", uint64(math.MaxUint64)>>(64-of.Bits()))
	case reflect.Int, reflect.Int64:
		return fmt.Errorf("want a whole number up to %d", math.MaxInt64)
	}
	return err
}
