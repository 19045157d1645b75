package page_test

import (
	"io"
	"mime"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
)

func init() {
	for _, extension := range []string{".html", ".css", ".js", ".svg"} { // as on a machine whose table is wrong
		if err := mime.AddExtensionType(extension, "text/x-wrong"); err != nil {
			panic(err)
		}
	}
}

// Ensure each file has its type, whatever the machine says of its extension.
func TestTypesOfFiles(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	files, err := filepath.Glob("assets/*")
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, file := range files {
		if file == "assets/index.html" {
			continue // it is the page itself
		}
		response, err := http.Get(n.Server.URL() + "/page/" + filepath.Base(file))
		require.NoError(t, err)
		response.Body.Close()
		require.Equal(t, http.StatusOK, response.StatusCode, file)
		kind := response.Header.Get("Content-Type")
		require.Equal(t, map[string]string{
			".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
		}[filepath.Ext(file)], kind, file)
		seen[kind] = true
	}
	require.GreaterOrEqual(t, len(seen), 2)
}

// Ensure a browser gets the page, with a policy that lets it do nothing else, and a program never does.
func TestWhoGetsThePage(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	get := func(path, accept, host string) (*http.Response, string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, n.Server.URL()+path, nil)
		require.NoError(t, err)
		req.Header.Set("Accept", accept)
		if host != "" {
			req.Host = host
		}
		response, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		return response, string(body)
	}
	response, body := get("/", "text/html,application/xhtml+xml,*/*;q=0.8", "")
	require.Contains(t, body, "<title>fakenode</title>")
	require.Equal(t, "text/html; charset=utf-8", response.Header.Get("Content-Type"))
	policy := response.Header.Get("Content-Security-Policy")
	require.True(t, strings.HasPrefix(policy, "default-src 'none'; script-src 'self';"), policy)
	require.NotContains(t, policy, "unsafe")
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-cache",
	} {
		require.Equal(t, []string{want}, response.Header.Values(name), name)
	}
	require.Contains(t, response.Header.Values("Vary"), "Accept", "a program gets another answer")
	response, _ = get("/page/main.js", "*/*", "")
	require.Equal(t, "text/javascript; charset=utf-8", response.Header.Get("Content-Type"))

	response, body = get("/", "*/*", "")
	require.Equal(t, "text/plain; charset=utf-8", response.Header.Get("Content-Type"))
	require.Contains(t, body, "POST JSON-RPC")
	for path, status := range map[string]int{"/page/": 404, "/page/nothing.js": 404, "/page/../server.go": 400, "/page/%2e%2e/page.go": 400} {
		response, _ = get(path, "text/html", "")
		require.Equal(t, status, response.StatusCode, path)
	}
	response, _ = get("/", "text/html", "evil.example")
	require.Equal(t, http.StatusForbidden, response.StatusCode)
}
