package main

import (
	"flag"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// notedFlags returns the rows of docs/cli.md by the flags that they name: what --help does not say of them.
func notedFlags(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/cli.md")
	require.NoError(t, err)
	rows := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| (`--[^|]*`) \\| (.*) \\|$").FindAllStringSubmatch(string(text), -1) {
		for _, name := range regexp.MustCompile("`--([a-z0-9-]+)`").FindAllStringSubmatch(row[1], -1) {
			require.Empty(t, rows[name[1]], "--%s is there twice", name[1])
			rows[name[1]] = row[2]
		}
	}
	require.Greater(t, len(rows), 50)
	return rows
}

// Ensure docs/cli.md tells of no flag that the program does not have.
func TestNotedFlagsAreThere(t *testing.T) {
	t.Parallel()
	flags := serving().flagSet(new(options))
	for name := range notedFlags(t) {
		require.NotNil(t, flags.Lookup(name), "docs/cli.md has --%s", name)
	}
}

// sameName reports whether a field of Config has the name of a flag, as docs/cli.md says.
func sameName(field, flagName string) bool {
	group, last, inner := strings.Cut(field, ".")
	if !inner {
		last = field
	}
	single := func(s string) string { return strings.ToLower(strings.TrimSuffix(strings.ReplaceAll(s, "-", ""), "s")) }
	names := []string{single(last), single(group + last), single(single(group) + last), single(last + group)}
	return slices.Contains(names, single(flagName))
}

// sideBySide returns the names in the first two cells of a table of docs/go.md, row by row.
func sideBySide(t *testing.T, heading string) (rows [][2][]string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/go.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(text), "\n## "+heading+"\n")
	require.True(t, found, heading)
	section, _, _ = strings.Cut(section, "\n## ")
	for _, row := range regexp.MustCompile(`(?m)^\| (.*?) \| (.*?) \|`).FindAllStringSubmatch(section, -1)[1:] {
		var names [2][]string
		for i, cell := range row[1:] {
			for _, name := range regexp.MustCompile("`(.*?)`").FindAllStringSubmatch(cell, -1) {
				names[i] = append(names[i], name[1])
			}
		}
		rows = append(rows, names)
	}
	return rows
}

// leaves calls visit for each exported field of a struct of ours, also in inner structs.
func leaves(prefix string, v reflect.Value, visit func(name string, v reflect.Value)) {
	for i := range v.NumField() {
		field, value := v.Type().Field(i), v.Field(i)
		structure := field.Type
		if structure.Kind() == reflect.Pointer {
			structure = structure.Elem()
		}
		switch {
		case !field.IsExported():
		case structure == reflect.TypeFor[fakenode.Chain]():
			visit(prefix+field.Name, value)
		case structure.Kind() == reflect.Struct && strings.HasPrefix(structure.PkgPath(), "github.com/fakenode/"):
			if value.Kind() == reflect.Pointer && value.IsNil() {
				value = reflect.New(structure)
			}
			value = reflect.Indirect(value)
			leaves(prefix+field.Name+".", value, visit)
		default:
			visit(prefix+field.Name, value)
		}
	}
}

// Ensure each field of Config has the name of its flag, or is in the flag's row of docs/cli.md, or in docs/go.md among
// those without a flag.
func TestSettingsAreSideBySide(t *testing.T) {
	t.Parallel()
	fields := map[string]bool{}
	leaves("", reflect.ValueOf(fakenode.Config{}), func(name string, _ reflect.Value) { fields[name] = true })
	rows, named := notedFlags(t), map[string]bool{}
	name := regexp.MustCompile("`([A-Za-z0-9.]+)`")
	for _, row := range rows {
		for _, found := range name.FindAllStringSubmatch(row, -1) {
			named[found[1]] = true
		}
	}
	prose, err := os.ReadFile("../../docs/go.md")
	require.NoError(t, err)
	_, without, found := strings.Cut(string(prose), "Fields without a\nflag:")
	require.True(t, found)
	without, _, _ = strings.Cut(without, "\n\n")
	for _, found := range name.FindAllStringSubmatch(without, -1) {
		named[found[1]] = named[found[1]] || fields[found[1]]
	}
	set := 0
	serving().flagSet(new(options)).VisitAll(func(f *flag.Flag) {
		for field := range fields {
			named[field] = named[field] || sameName(field, f.Name)
		}
		for _, field := range fieldsSet(f.Name) {
			set++
			if !sameName(field, f.Name) {
				require.Contains(t, rows[f.Name], "`"+field+"`", "docs/cli.md does not say that --%s is Config.%s", f.Name, field)
			}
		}
	})
	require.Greater(t, set, 60)
	for field := range fields {
		require.True(t, named[field], "docs/cli.md lacks Config.%s", field)
	}
}

// fieldsSet returns the fields of Config that a flag sets to another value than they have without it.
func fieldsSet(flagName string) (changed []string) {
	values := func(o *options) map[string]any {
		all := map[string]any{}
		keep := func(name string, v reflect.Value) { all[name] = v.Interface() }
		leaves("", reflect.ValueOf(o.config), keep)
		return all
	}
	var without options
	flags := serving().flagSet(&without)
	before := values(&without)
	for _, value := range append(slices.Clone(namesOf(flags.Lookup(flagName))), "true", "7", "7s", "documented", "standard", "x") {
		var o options
		if serving().flagSet(&o).Set(flagName, value) != nil {
			continue
		}
		for field, after := range values(&o) {
			if !reflect.DeepEqual(before[field], after) && !slices.Contains(changed, field) {
				changed = append(changed, field)
			}
		}
	}
	return changed
}

// Ensure the methods that docs/go.md names are methods of a Node and of the wire, and that all fakenode_* are there.
func TestCommandsAreSideBySide(t *testing.T) {
	t.Parallel()
	reference, err := os.ReadFile("../../docs/rpc.md")
	require.NoError(t, err)
	var served, control []string // by the first cells of the tables
	for _, row := range regexp.MustCompile("(?m)^\\| (`.*?) \\|").FindAllStringSubmatch(string(reference), -1) {
		for _, method := range regexp.MustCompile("`([a-z0-9]+_\\w+)`").FindAllStringSubmatch(row[1], -1) {
			if served = append(served, method[1]); strings.HasPrefix(method[1], "fakenode_") {
				control = append(control, method[1])
			}
		}
	}
	require.NotEmpty(t, control)
	var named []string
	for _, row := range sideBySide(t, "Commands") {
		for _, call := range row[0] {
			if method := regexp.MustCompile(`^node\.(\w+)\(`).FindStringSubmatch(call); method != nil {
				_, found := reflect.TypeFor[*fakenode.Node]().MethodByName(method[1])
				require.True(t, found, call)
			}
		}
		for _, method := range row[1] {
			require.Contains(t, served, method)
			named = append(named, method)
		}
	}
	require.Subset(t, named, control)
}
