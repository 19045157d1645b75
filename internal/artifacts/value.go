package artifacts

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// maxBytes is the length in bytes up to which an argument is shown as a whole.
const maxBytes = 256

// valueText returns a value as package abi decodes it in a form for people: whole numbers in decimal, texts in quotes,
// bytes in hex, lists in brackets, structs with the names of their members.
func valueText(kind abi.Type, value any) string {
	v := reflect.ValueOf(value)
	switch kind.T {
	case abi.StringTy:
		text := v.String()
		if len(text) > maxBytes {
			return strconv.Quote(strings.ToValidUTF8(text[:maxBytes], "")) + fmt.Sprintf("… (%d bytes)", len(text))
		}
		return strconv.Quote(text)
	case abi.BytesTy:
		content := v.Bytes()
		if len(content) > maxBytes {
			return hexutil.Encode(content[:maxBytes]) + fmt.Sprintf("… (%d bytes)", len(content))
		}
		return hexutil.Encode(content)
	case abi.FixedBytesTy, abi.FunctionTy:
		content := make([]byte, v.Len())
		reflect.Copy(reflect.ValueOf(content), v)
		return hexutil.Encode(content)
	case abi.SliceTy, abi.ArrayTy:
		texts := make([]string, v.Len())
		for i := range texts {
			texts[i] = valueText(*kind.Elem, v.Index(i).Interface())
		}
		return "[" + strings.Join(texts, ", ") + "]"
	case abi.TupleTy:
		texts := make([]string, v.NumField())
		for i := range texts {
			texts[i] = named(kind.TupleRawNames[i], valueText(*kind.TupleElems[i], v.Field(i).Interface()))
		}
		return "(" + strings.Join(texts, ", ") + ")"
	}
	return fmt.Sprint(value) // addresses with their checksum, numbers, booleans
}
