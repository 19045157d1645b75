package console

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// format joins arguments as util.format of Node.js joins strings, like Hardhat: the placeholders of the first one (%s,
// %d, %i, %f, %j, %o, %O, %c) take the next arguments, and those left over follow behind spaces.
func format(arguments []string) string {
	if len(arguments) == 0 {
		return ""
	}
	first, rest := arguments[0], arguments[1:]
	if len(rest) == 0 {
		return first
	}
	var line strings.Builder
	for i := 0; i < len(first); i++ {
		if first[i] != '%' || i+1 == len(first) {
			line.WriteByte(first[i])
			continue
		}
		i++
		verb := first[i]
		switch {
		case verb == '%':
			line.WriteByte('%')
		case len(rest) > 0 && strings.IndexByte("sdifjoOc", verb) >= 0:
			line.WriteString(placed(verb, rest[0]))
			rest = rest[1:]
		default:
			line.WriteByte('%')
			line.WriteByte(verb)
		}
	}
	for _, argument := range rest {
		line.WriteString(" " + argument)
	}
	return line.String()
}

// placed returns an argument as the placeholder shows it.
func placed(verb byte, argument string) string {
	switch verb {
	case 'f':
		return number(argument)
	case 'j':
		var quoted strings.Builder
		encoder := json.NewEncoder(&quoted)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(argument) // a string can always be encoded
		return strings.TrimSuffix(quoted.String(), "\n")
	case 'o', 'O':
		return inspected(argument)
	case 'c':
		return "" // CSS
	}
	return argument
}

// inspected returns a string in quotes, the first kind of three that it does not contain.
func inspected(text string) string {
	quote := "'"
	if strings.Contains(text, "'") {
		for _, other := range []string{`"`, "`"} {
			if !strings.Contains(text, other) {
				quote = other
				break
			}
		}
	}
	pairs := []string{`\`, `\\`, "\n", `\n`, "\t", `\t`, "\r", `\r`, "\b", `\b`, "\f", `\f`, "\v", `\v`}
	if quote == "'" {
		pairs = append(pairs, "'", `\'`)
	}
	return quote + strings.NewReplacer(pairs...).Replace(text) + quote
}

// leadingNumber matches the part of a text that JavaScript's parseFloat reads.
var leadingNumber = regexp.MustCompile(`^\s*([+-]?(?:Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))`)

// number returns the number that a text begins with, as JavaScript writes it.
func number(text string) string {
	found := leadingNumber.FindStringSubmatch(text)
	if found == nil {
		return "NaN"
	}
	n, _ := strconv.ParseFloat(found[1], 64) // out of range: infinite
	switch size := math.Abs(n); {
	case math.IsInf(n, 0):
		return strings.TrimPrefix(strconv.FormatFloat(n, 'f', -1, 64), "+") + "inity"
	case n == 0 && math.Signbit(n):
		return "-0"
	case size != 0 && (size >= 1e21 || size < 1e-6):
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(n, 'e', -1, 64), "e")
		return mantissa + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}
