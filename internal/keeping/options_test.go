package keeping

import (
	"bytes"
	"errors"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure the user is told how long writing takes, that it fails, and that it works again, with the file.
func TestWritingIsTold(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	plain := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	o := Options{Path: "node.db", Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: plain}))}.storeOptions()
	o.Progress("writing takes long")
	o.Failed(errors.New("the disk is full"))
	o.Failed(nil)
	require.Equal(t, `level=WARN msg="writing takes long"
level=ERROR msg="the state cannot be kept; trying again every second" error="the disk is full"
level=WARN msg="the state is kept again" file=node.db
`, log.String())
}
