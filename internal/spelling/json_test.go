package spelling_test

import (
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/spelling"
)

// Ensure what is wrong with JSON is said by its members and bytes, never by Go's types.
func TestJSON(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a":1,}`: "it is no JSON from byte 8 on", `{"a":`: "it ends before its JSON does", ``: "it ends before its JSON does",
		`{"a":"x"}`: "A is of the wrong kind (string)", `5`: "it is of the wrong kind (number)", `{"b":1}`: `it has no member "b"`,
		`{"n":"x"}`: `"\"x\"" is no whole number`, `{"at":"0x12"}`: "hex string has length 2, want 40",
	} {
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.DisallowUnknownFields()
		var into struct {
			A  int
			N  *big.Int
			At common.Address
		}
		require.EqualError(t, spelling.JSON(decoder.Decode(&into)), want, text)
	}
	other := errors.New("another")
	require.Equal(t, other, spelling.JSON(other))
	require.NoError(t, spelling.JSON(nil))
}
