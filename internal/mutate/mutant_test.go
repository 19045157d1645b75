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
		_, lines, _ := strings.Cut(m.String(), "\n")
		before, after, _ := strings.Cut(lines, "\n+ ")
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
	require.Equal(t, "sample.go:11\n- \tn++\n+ \t", mutants[3].String())
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

// TestRun tries all mutants of a package whose test notices two of three.
func TestRun(t *testing.T) {
	t.Parallel()
	var out, failure strings.Builder
	require.Zero(t, run(t.Context(), []string{"./testdata/sample"}, &out, &failure), failure.String())
	require.Contains(t, out.String(), "./testdata/sample: 3 mutants")
	require.Contains(t, out.String(), "sample.go:4\n- func isEven(n int) bool { return n%2 == 0 }\n+ func isEven(n int) bool { return n%3 == 0 }")
	require.Contains(t, out.String(), "seed 1: 2 killed, 1 survived, 0 did not compile")
}
