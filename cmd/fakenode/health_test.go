package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure "fakenode health" is silent and exits with 0 while a node serves, and with 1 and the reason when it does not.
func TestHealth(t *testing.T) {
	t.Parallel()
	health := func(url string) (int, string) {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), []string{"health", url}, nil, &stdout, &stderr)
		require.Empty(t, stdout.String())
		return code, stderr.String()
	}
	p := start(t, "--seal", "manual")
	for _, url := range []string{p.url, p.url + "/"} {
		code, complaint := health(url)
		require.Equal(t, exitOK, code, complaint)
		require.Empty(t, complaint)
	}
	p.end(t)
	code, complaint := health(p.url)
	require.Equal(t, exitError, code)
	require.Contains(t, complaint, "connection refused")

	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	code, complaint = health(other.URL)
	require.Equal(t, exitError, code)
	require.Contains(t, complaint, "answered 404 Not Found")
}
