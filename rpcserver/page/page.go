// Package page is the page that a browser gets from the node: the chain as it grows, with everything on it, and
// controls for what can be commanded. It is embedded, needs no build step and loads nothing from elsewhere.
//
// The page knows nothing but the node's public API, which it calls over the node's own WebSocket as any client would.
package page

import (
	"embed"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// Prefix begins the paths of what the page loads.
const Prefix = "/page/"

//go:embed assets
var embedded embed.FS

// assets holds index.html and what it loads.
var assets = func() fs.FS {
	sub, err := fs.Sub(embedded, "assets")
	if err != nil {
		panic(err) // the name is embedded above
	}
	return sub
}()

// policy lets the page load and call its own origin alone. Trusted types make the browser refuse to turn any text into
// markup, whatever the scripts do.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

// Wanted reports whether a request is a browser's that opens an address, rather than a program's.
func Wanted(req *http.Request) bool {
	return req.Method == http.MethodGet && strings.Contains(req.Header.Get("Accept"), "text/html")
}

// Serve answers a request for the page, or for what it loads if the path begins with Prefix.
func Serve(w http.ResponseWriter, req *http.Request) {
	header := w.Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Cache-Control", "no-cache")
	header.Add("Vary", "Accept")
	name := "index.html"
	if strings.HasPrefix(req.URL.Path, Prefix) {
		name = strings.TrimPrefix(req.URL.Path, Prefix)
	}
	if name == "" {
		http.NotFound(w, req)
		return
	}
	if kind, ok := contentTypes[path.Ext(name)]; ok { // else the system's table decides, which may be wrong
		header.Set("Content-Type", kind)
	}
	http.ServeFileFS(w, req, assets, name)
}
