package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// TestSwitched checks that a file with many mutants runs the one that the environment names, and the original without.
func TestSwitched(t *testing.T) {
	t.Parallel()
	const source = `package main

type number int

func (n number) next() (m number) {
	m = n
	defer func() { m++ }()
	return
}

func main() {
	println(number(1).next())
}
`
	mutants, err := mutantsOf("main.go", []byte(source), nil)
	require.NoError(t, err)
	for i := range mutants {
		mutants[i].number = i
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), switched(mutants), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "switch.go"), fmt.Appendf(nil, switchOf, "main"), 0o600))
	build := exec.Command("go", "build", "-o", "program", "main.go", "switch.go")
	build.Dir = dir
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	said := map[string]string{}
	for _, number := range []string{"", "0", "1", "2", "3", "4"} {
		program := exec.Command(filepath.Join(dir, "program"))
		program.Env = []string{"MUTANT=" + number}
		out, err := program.CombinedOutput()
		require.NoError(t, err)
		said[number] = strings.TrimSpace(string(out))
	}
	require.Equal(t, map[string]string{"": "2", "0": "1", "1": "1", "2": "1", "3": "", "4": "3"}, said)
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
		{[]string{"-at", "(", "./x"}, 2, "missing closing )"},
		{[]string{"./nowhere"}, 1, "package ./nowhere"},
	} {
		var out, failure strings.Builder
		require.Equal(t, test.code, run(t.Context(), test.args, &out, &failure))
		require.Contains(t, failure.String(), test.line)
	}
}

// TestRun tries all mutants of two packages. A package's own test notices some and that of another package some more,
// as the output says. A second run begins at the number and keeps to the places that it is told.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: packages are compiled again and again, one after the other")
	}
	t.Parallel()
	keep := t.TempDir()
	mutate := func(args ...string) string {
		var out, failure strings.Builder
		args = append([]string{"-keep", keep, "-also", "./testdata/user"}, append(args, "./testdata/sample", "./testdata/user")...)
		require.Zero(t, run(t.Context(), args, &out, &failure), failure.String())
		return out.String()
	}
	out := mutate()
	require.Contains(t, out, "integration_test/mutate/testdata/user: 1 tests")
	require.Regexp(t, `sample\.go:11: killed, TestCount of`, out)
	require.Regexp(t, `sample\.go:16: does not end, TestCount of`, out)
	require.Regexp(t, `sample\.go:22: does not compile, .*operator - not defined`, out)
	require.Regexp(t, `sample\.go:5: killed, TestIsEven of`, out)
	require.Regexp(t, `sample\.go:8: killed by another package, TestUser of`, out)
	require.Regexp(t, `sample\.go:5: survived, reached by 1 tests\n- .*n%2 .*\n\+ .*n%3`, out)
	require.Contains(t, out, "sample: 4 killed; 2 killed by another package; 1 does not end; 1 survived; 1 does not compile;")
	require.Contains(t, out, "user: 1 killed; 0 killed by another package;")
	number := regexp.MustCompile(`(?m)^(\d+) .*sample\.go:11: killed`).FindStringSubmatch(out)[1]
	out = mutate("-from", number, "-at", `sample\.go:1.$`)
	require.Contains(t, out, "\n"+number+" ")
	require.NotContains(t, out, "sample.go:5:")
}
