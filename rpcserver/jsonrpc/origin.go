package jsonrpc

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// originRules keep foreign web pages out (contract 5-auth): a page whose own name resolves to this machine (DNS
// rebinding) shows in Host, a page that calls across origins shows in Origin.
type originRules struct {
	hosts   []string // accepted besides loopback and IP addresses
	origins []string // accepted besides loopback and extensions
}

// check returns an error if the Host or Origin of a request is not accepted.
func (o originRules) check(req *http.Request) error {
	if !o.acceptHost(req.Host) {
		return fmt.Errorf("host %s is not allowed: want localhost, an IP address or an allowed host (--allow-host)", Excerpt(req.Host))
	}
	// A page of this very server may call it: Host is checked, so no foreign name leads here.
	if origin := req.Header.Get("Origin"); origin != "" && !isOriginOf(origin, req.Host) && !o.acceptOrigin(origin) {
		return fmt.Errorf("origin %s is not allowed: want a page of this machine or an allowed origin (--allow-origin)", Excerpt(origin))
	}
	return nil
}

func (o originRules) acceptHost(hostport string) bool {
	if hostport == "" { // no Host at all: HTTP/1.0, not a browser
		return true
	}
	if slices.ContainsFunc(o.hosts, func(allowed string) bool {
		return allowed == "*" || strings.EqualFold(allowed, hostport)
	}) {
		return true
	}
	host, ok := hostOf(hostport)
	if !ok {
		return false
	}
	if _, err := netip.ParseAddr(host); err == nil || isLocalhost(host) {
		return true
	}
	return slices.ContainsFunc(o.hosts, func(allowed string) bool { return strings.EqualFold(allowed, host) })
}

// hostOf returns the host of a Host header without port and brackets, and reports whether the header is well-formed:
// NAME, ADDRESS or [IPv6 ADDRESS], alone or with a port number.
func hostOf(hostport string) (host string, ok bool) {
	host = hostport
	if name, port, err := net.SplitHostPort(hostport); err == nil {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return "", false
		}
		host = name
	}
	if inner, bracketed := strings.CutPrefix(hostport, "["); bracketed {
		address, _, _ := strings.Cut(inner, "]")
		parsed, err := netip.ParseAddr(address)
		return address, err == nil && parsed.Is6() && (host == address || host == "["+address+"]")
	}
	return host, host != "" && !strings.ContainsAny(host, "[]")
}

func (o originRules) acceptOrigin(origin string) bool {
	if slices.ContainsFunc(o.origins, func(allowed string) bool {
		return allowed == "*" || strings.EqualFold(strings.TrimSuffix(allowed, "/"), origin)
	}) {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	switch u.Scheme {
	case "http", "https":
		address, err := netip.ParseAddr(u.Hostname())
		return isLocalhost(u.Hostname()) || err == nil && address.IsLoopback()
	case "chrome-extension", "moz-extension", "safari-web-extension":
		return u.Host != ""
	}
	return false // "null" too: sandboxed pages and files
}

// isOriginOf reports whether a page at the Host header host has this Origin.
func isOriginOf(origin, host string) bool {
	return origin == "http://"+host || origin == "https://"+host
}

func isLocalhost(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// allowOrigin lets a page of origin read the answer.
func allowOrigin(header http.Header, origin string) {
	header.Set("Access-Control-Allow-Origin", origin)
	header.Add("Vary", "Origin")
}

// answerPreflight answers a CORS preflight, whose origin has been checked.
func answerPreflight(w http.ResponseWriter, req *http.Request) {
	header := w.Header()
	header.Set("Allow", "POST, GET, HEAD, OPTIONS")
	if req.Header.Get("Access-Control-Request-Method") != "" {
		header.Set("Access-Control-Allow-Methods", "POST, GET, OPTIONS")
		if wanted := req.Header.Get("Access-Control-Request-Headers"); wanted != "" {
			header.Set("Access-Control-Allow-Headers", wanted)
		}
		if req.Header.Get("Access-Control-Request-Private-Network") == "true" {
			header.Set("Access-Control-Allow-Private-Network", "true")
		}
		header.Set("Access-Control-Max-Age", "600")
	}
	w.WriteHeader(http.StatusNoContent)
}
