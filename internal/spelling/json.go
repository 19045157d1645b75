package spelling

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// goType begins what go-ethereum says of the type of an address or a hash of another length.
const goType = " for common."

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
		value, _, _ := strings.Cut(mismatch.Value, goType)
		return fmt.Errorf("%s is of the wrong kind (%s)", cmp.Or(mismatch.Field, "it"), value)
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
	if problem, _, typed := strings.Cut(err.Error(), goType); typed {
		return errors.New(problem)
	}
	return err
}
