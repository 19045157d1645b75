package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure fakenode explore finds what fools a back end, writes it to a file, plays it again from there, keeps it in a
// folder, and reports what is wrong with a file in one line.
func TestExplore(t *testing.T) {
	t.Parallel()
	eager := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"payment": "shipped"}`)) }))
	defer eager.Close()
	explore := func(more ...string) (int, string, string) {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), append([]string{"explore", "--quiet", "--port", "0", "--patience", "0s", "--finalized-lag", "4", eager.URL}, more...), nil, &stdout, &stderr)
		return code, stdout.String(), stderr.String()
	}
	file, folder := filepath.Join(t.TempDir(), "found.json"), t.TempDir()
	code, _, _ := explore("--found", folder)
	require.Equal(t, exitError, code)
	code, told, complaint := explore("--out", file)
	require.Equal(t, exitError, code)
	require.Equal(t, "fakenode: explore: a schedule fools the back end\n", complaint)
	require.Contains(t, told, "FAILED schedule 1 of seed 0: payment 1: it says shipped, and no block holds the payment\n  Payment 1 is sent.\n")
	require.Contains(t, told, "To play it again: fakenode explore "+eager.URL+" --replay "+file+"\n")
	for _, again := range [][]string{{"--replay", file}, {"--found", folder, "--runs", "-1"}} {
		code, told, _ = explore(again...)
		require.Equal(t, exitError, code)
		require.Contains(t, told, "FAILED schedule 1 ")
	}
	code, told, _ = explore("--runs", "2", "--without", "pay")
	require.Equal(t, exitOK, code, "it is asked of nothing")
	require.Contains(t, told, "passed 2 schedules, with 0 pairs of calls; never: pay, ")

	for _, command := range []string{"explore", "exam"} {
		var dying *httptest.Server
		dying = httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			_ = dying.Listener.Close()
			panic(http.ErrAbortHandler)
		}))
		var stdout, stderr bytes.Buffer
		require.Equal(t, exitUsage, run(t.Context(), []string{command, "--quiet", "--port", "0", "--patience", "0s", dying.URL}, nil, &stdout, &stderr))
		require.Contains(t, stderr.String(), "fakenode: "+command+": ")
		require.Contains(t, stderr.String(), "the back end has ended: nothing listens at "+dying.URL)
		require.Equal(t, 1, strings.Count(stderr.String(), "\n"), stderr.String())
		require.NotContains(t, stdout.String(), "FAILED")
		dying.Close()
	}

	gone := httptest.NewServer(nil)
	gone.Close()
	held, holds, err := os.Pipe()
	require.NoError(t, err)
	require.Equal(t, exitUsage, run(t.Context(), []string{"explore", "--quiet", "--port", "0", "--start", "sleep 1000 & false", gone.URL}, nil, new(bytes.Buffer), holds))
	require.NoError(t, holds.Close())
	complaints, err := io.ReadAll(held)
	require.NoError(t, err, "the end comes when no process holds it any more")
	require.Contains(t, string(complaints), "--start sleep 1000 & false: nothing listens at "+gone.URL)

	missing := filepath.Join(folder, "missing")
	for content, want := range map[string]string{
		`{"version":1,"moves":["explode 0 0"]}`:        `"explode 0 0" is no move: want a name and two numbers`,
		`{"version":2,"moves":["pay 0 0"]}`:            "a schedule of version 2: this program reads version 1",
		`{"version":1,"depth":-1,"moves":["pay 0 0"]}`: "a schedule of depth -1: want 1 to 1000",
		`{"version":1,"depth":3,"moves":["pay 0 -1"]}`: "is no move",
		`{"version":1,"depth":3,"moves":"pay 0 0"}`:    "no schedule: ",
		`{"version":1,"seed":-1,"moves":["seal 0 0"]}`: "no schedule: ",
	} {
		require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
		code, told, complaint = explore("--replay", file)
		require.Equal(t, exitUsage, code, content)
		require.Contains(t, complaint, want)
		require.Equal(t, 1, strings.Count(complaint, "\n"), complaint)
		require.NotContains(t, told, "FAILED")
	}
	for _, wrong := range [][]string{
		{"--replay", "missing"}, {"--without", "rain"}, {"--depth", "-1"}, {"--depth", "1001"}, {"--runs", "-2"}, {"--runs", "many"}, {"--seed", "-1"}, {"--for", "0s"},
		{"--found", missing}, {"--out", filepath.Join(missing, "found.json")}, {"--start", "false"}, {"--accounts", "1"},
	} {
		code, told, complaint = explore(wrong...)
		require.Equal(t, exitUsage, code, "%v", wrong)
		require.Equal(t, 1, strings.Count(complaint, "\n"), complaint)
		require.NotContains(t, told, "FAILED")
	}
}

// Ensure a search that is interrupted while its back end starts says that, and not that nothing listens.
func TestExploreInterrupted(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(nil)
	gone.Close()
	held, holds, err := os.Pipe()
	require.NoError(t, err)
	ctx, interrupt := context.WithCancelCause(t.Context())
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, []string{"explore", "--quiet", "--port", "0", "--start", "sh -c 'echo started >&2; sleep 1000'", gone.URL}, nil, io.Discard, holds)
		_ = holds.Close()
	}()
	complaints := bufio.NewReader(held)
	_, err = complaints.ReadString('\n')
	require.NoError(t, err)
	interrupt(errors.New("interrupted"))
	complaint, err := io.ReadAll(complaints)
	require.NoError(t, err)
	require.Equal(t, exitUsage, <-code)
	require.Equal(t, "fakenode: explore: --start sh -c 'echo started >&2; sleep 1000': interrupted\n", string(complaint))
}
