package remote

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// shortestSecret is the number of bytes from which on a part of a URL or header counts as a secret: shorter ones occur
// in any text.
const shortestSecret = 6

// redactor removes keys from the node's answers: some nodes repeat the key in an error.
type redactor struct {
	origin   string // scheme and host, which may be shown
	replacer *strings.Replacer
}

// newRedactor knows the secrets of a URL that parses, and of headers.
func newRedactor(raw string, headers http.Header) redactor {
	u, err := url.Parse(raw)
	if err != nil || raw == "" {
		return redactor{replacer: strings.NewReplacer()}
	}
	secrets := append(strings.Split(u.Path, "/"), u.EscapedPath(), u.RawQuery, u.RequestURI(), u.User.Username())
	password, _ := u.User.Password()
	secrets = append(secrets, password)
	for _, values := range u.Query() {
		secrets = append(secrets, values...)
	}
	for _, values := range headers {
		for _, value := range values {
			secrets = append(append(secrets, value), strings.Fields(value)...)
		}
	}
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Compare(len(b), len(a)) }) // the longest first
	var pairs []string
	for _, secret := range slices.Compact(secrets) {
		if len(secret) >= shortestSecret {
			pairs = append(pairs, secret, "***")
		}
	}
	return redactor{origin: u.Scheme + "://" + u.Host, replacer: strings.NewReplacer(pairs...)}
}

// clean returns text of the node as one short line without secrets.
func (r redactor) clean(text string) string {
	const most = 300
	text = strings.Join(strings.Fields(r.replacer.Replace(text)), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
