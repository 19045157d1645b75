// Package page is the page that the node serves to browsers: the chain as it grows, with everything on it, and controls
// for most commands. It is embedded, needs no build step and loads nothing from elsewhere.
//
// The page uses only the node's public API, which it calls over the node's own WebSocket as any client would.
package page

import (
	"embed"
	"net/http"
	"path"
	"strings"
)

// Prefix begins the paths of the page's files.
const Prefix = "/page/"

//go:embed assets
var embedded embed.FS

// policy lets the page load and call its own origin alone, and turn no text into markup (trusted types).
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

// Wanted reports whether the request comes from a browser that opens an address, rather than from a program.
func Wanted(req *http.Request) bool {
	return req.Method == http.MethodGet && strings.Contains(req.Header.Get("Accept"), "text/html")
}

// Serve answers a request for the page, or for one of its files if the path begins with Prefix.
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
	if kind, ok := contentTypes[path.Ext(name)]; ok { // the system's own table may be wrong
		header.Set("Content-Type", kind)
	}
	http.ServeFileFS(w, req, embedded, "assets/"+name)
}
