package spelling

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// JSON returns an error of decoding JSON in JSON's terms, without Go's names of types.
func JSON(err error) error {
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("it is no JSON from byte %d on", syntax.Offset)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it ends before its JSON does")
	case errors.As(err, &mismatch):
		return fmt.Errorf("%s is of the wrong kind (%s)", cmp.Or(mismatch.Field, "it"), Untyped(mismatch.Value))
	case err == nil:
		return nil
	}
	if name, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		return fmt.Errorf("it has no member %s", name)
	}
	if value, number := strings.CutPrefix(err.Error(), "math/big: cannot unmarshal "); number {
		value, _, _ = strings.Cut(value, " into a ")
		return fmt.Errorf("%s is no whole number", value)
	}
	if problem := Untyped(err.Error()); problem != err.Error() {
		return errors.New(problem)
	}
	return err
}

// Untyped removes the name of Go's type from go-ethereum's errors: about the length of an address or a hash, and about
// the members of a transaction.
func Untyped(problem string) string {
	problem, _, _ = strings.Cut(problem, " for common.")
	problem, _, _ = strings.Cut(problem, " for types.")
	return strings.TrimPrefix(strings.TrimPrefix(problem, "encoding/hex: "), "jsontext: ")
}
