package transcript

import (
	"bytes"
	"encoding/json"
	"strings"
)

// maxColumns is the width up to which a JSON value stays on one line.
const maxColumns = 120

// layOut returns text over lines for a file in which it begins at the given column. A value that fits into maxColumns
// stays on one line; the members of a longer one stand on lines of their own, indented further than column. Text that
// is not JSON is returned unchanged.
func layOut(text []byte, column int) string {
	if !json.Valid(text) {
		return string(text)
	}
	var out strings.Builder
	writeValue(&out, text, column, column)
	return out.String()
}

// writeValue writes a JSON value whose first line begins at column and whose other lines are indented by indent.
func writeValue(out *strings.Builder, value json.RawMessage, column, indent int) {
	var compact bytes.Buffer
	_ = json.Compact(&compact, value) // value is valid JSON
	opening, closing := compact.Bytes()[0], compact.Bytes()[compact.Len()-1]
	if column+compact.Len() <= maxColumns || opening != '{' && opening != '[' {
		out.Write(compact.Bytes())
		return
	}
	decoder := json.NewDecoder(&compact)
	_, _ = decoder.Token() // the opening bracket
	out.WriteByte(opening)
	for separator := ""; decoder.More(); separator = "," {
		out.WriteString(separator + "\n" + strings.Repeat(" ", indent+2))
		start := indent + 2
		if opening == '{' {
			name, _ := decoder.Token()
			key, _ := json.Marshal(name)
			out.WriteString(string(key) + ": ")
			start += len(key) + len(": ")
		}
		var member json.RawMessage
		_ = decoder.Decode(&member)
		writeValue(out, member, start, indent+2)
	}
	out.WriteString("\n" + strings.Repeat(" ", indent) + string(closing))
}
