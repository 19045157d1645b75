package checkout

import (
	"fmt"
	"log/slog"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// maxCredential is the size in bytes of the longest signature taken; contract wallets may need more than an account's
// 65.
const maxCredential = 4096

// Credential is a payer's signature. It is as good as the money it authorizes (contract 4.2-store): it is read from
// hex, and printed, logged or marshalled it is only "[redacted]".
type Credential []byte

const redacted = "[redacted]"

// UnmarshalText reads 0x-prefixed hex. Its errors do not repeat the text.
func (c *Credential) UnmarshalText(text []byte) error {
	raw, err := hexutil.Decode(string(text))
	switch {
	case err != nil || len(raw) == 0:
		return fmt.Errorf("signature is not 0x-prefixed hex")
	case len(raw) > maxCredential:
		return fmt.Errorf("signature has %d bytes, the limit is %d", len(raw), maxCredential)
	}
	*c = raw
	return nil
}

// MarshalText returns "[redacted]".
func (c Credential) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// String returns "[redacted]".
func (c Credential) String() string { return redacted }

// Format prints "[redacted]", whatever the verb.
func (c Credential) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(redacted)) }

// LogValue returns "[redacted]".
func (c Credential) LogValue() slog.Value { return slog.StringValue(redacted) }
