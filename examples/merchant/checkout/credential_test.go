package checkout

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure a signature can be read and shows nowhere, whatever it is printed with.
func TestCredential(t *testing.T) {
	t.Parallel()
	var document struct{ Signature Credential }
	require.NoError(t, json.Unmarshal([]byte(`{"signature":"0x5ec7e7"}`), &document))
	require.Equal(t, []byte{0x5e, 0xc7, 0xe7}, []byte(document.Signature))

	// Without the time of each line: its digits may be those of a leak.
	noTime := &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}
	var text strings.Builder
	slog.New(slog.NewTextHandler(&text, noTime)).Info("x", "signature", document.Signature, "document", document)
	slog.New(slog.NewJSONHandler(&text, noTime)).Info("x", "signature", document.Signature, "document", document)
	require.NoError(t, json.NewEncoder(&text).Encode(document))
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%X", "%d", "%q"} {
		fmt.Fprintf(&text, verb, document.Signature)
		fmt.Fprintf(&text, verb, document)
	}
	for _, leak := range []string{"5ec7e7", "5EC7E7", "199", "0xc7", "XsfnX"} {
		require.NotContains(t, text.String(), leak)
	}

	for _, signature := range []string{`""`, `"0x"`, `"5ec7e7"`, `"0x5ec7e"`, `"0xsecret"`, `"0x` + strings.Repeat("00", maxCredential+1) + `"`} {
		err := json.Unmarshal([]byte(`{"signature":`+signature+`}`), &document)
		require.Error(t, err)
		require.NotContains(t, err.Error(), "5ec7e")
		require.NotContains(t, err.Error(), "secret")
	}
}
