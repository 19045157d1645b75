package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const sample = `package sample

import "fmt"

const (
	low = 1
	high
)

func f(n int) bool {
	n++
	fmt.Println(n)
	if n < low && n != 2 {
		n = n - 1
		return true
	}
	for {
		break
	}
	return false
}
`

// TestMutants checks the list of all mutants of a file, by the lines that they change.
func TestMutants(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"sample.go": []byte(sample)}
	siblings, err := siblingsOf(files)
	require.NoError(t, err)
	mutants, err := mutantsOf("sample.go", []byte(sample), siblings)
	require.NoError(t, err)
	var changes []string
	for _, m := range mutants {
		require.NotEqual(t, sample, string(m.mutated()))
		before, after, _ := strings.Cut(m.change(), "\n+ ")
		changes = append(changes, strings.TrimSpace(before[2:])+" => "+strings.TrimSpace(after))
	}
	require.Equal(t, []string{
		"low = 1 => high = 1",
		"low = 1 => low = 2",
		"high => low",
		"n++ => ",
		"fmt.Println(n) => ",
		"if n < low && n != 2 { => if !(n < low && n != 2) {",
		"if n < low && n != 2 { => if n < low || n != 2 {",
		"if n < low && n != 2 { => if n <= low && n != 2 {",
		"if n < low && n != 2 { => if n < high && n != 2 {",
		"if n < low && n != 2 { => if n < low && n == 2 {",
		"if n < low && n != 2 { => if n < low && n != 3 {",
		"n = n - 1 => ",
		"n = n - 1 => n = n + 1",
		"n = n - 1 => n = n - 2",
		"return true => return false",
		"break => ",
		"return false => return true",
	}, changes)
	require.Equal(t, "- \tn++\n+ \t", mutants[3].change())
}

// TestRunRejectsWrongArguments checks the exit codes and the line that describes what is wrong.
func TestRunRejectsWrongArguments(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args []string
		code int
		line string
	}{
		{nil, 2, "name at least one package"},
		{[]string{"-time", "soon", "./x"}, 2, "invalid value"},
		{[]string{"./nowhere"}, 1, "package ./nowhere"},
	} {
		var out, failure strings.Builder
		require.Equal(t, test.code, run(t.Context(), test.args, &out, &failure))
		require.Contains(t, failure.String(), test.line)
	}
}

// TestRun tries all mutants of a package. Its own test notices some and that of another package some more, as the output
// says. A second run begins at the number that it is told.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: packages are compiled again and again, one after the other")
	}
	t.Parallel()
	keep := t.TempDir()
	mutate := func(args ...string) string {
		var out, failure strings.Builder
		args = append([]string{"-keep", keep, "-also", "./testdata/user"}, append(args, "./testdata/sample")...)
		require.Zero(t, run(t.Context(), args, &out, &failure), failure.String())
		return out.String()
	}
	out := mutate()
	require.Contains(t, out, "internal/mutate/testdata/user: 1 tests")
	require.Regexp(t, `sample\.go:5: killed, TestIsEven of`, out)
	require.Regexp(t, `sample\.go:8: killed by another package, TestUser of`, out)
	require.Regexp(t, `sample\.go:5: survived, reached by 1 tests\n- .*n%2 .*\n\+ .*n%3`, out)
	require.Contains(t, out, "seed 1: 2 killed; 2 killed by another package; 0 not ended; 1 survived; 0 does not compile;")
	_, third, _ := strings.Cut(out, "\n3 ")
	third, _, _ = strings.Cut(third, "\n")
	require.Contains(t, mutate("-from", "3", "-most", "1"), "\n3 "+third+"\n")
}
