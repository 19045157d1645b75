// Package console decodes console.log of Hardhat's and Foundry's libraries: calls of an address without code, whose
// data name the types of the arguments by a selector. It formats them as Hardhat does.
package console

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
)

// Line returns the line that a call of the console with this data writes. Data that are no such call, or whose
// arguments are cut short, are shown in hex. Safe for concurrent use.
func Line(data []byte) string {
	if len(data) >= 4 {
		if types, ok := signatures()[[4]byte(data)]; ok {
			if arguments, err := decode(types, data[4:]); err == nil {
				return format(arguments)
			}
		}
	}
	return hexutil.Encode(data)
}

// signatures returns the types of the arguments by the selector: up to four of the usual types, and one of any other.
// Libraries from before 2022 made selectors of the names "uint" and "int", which Solidity does not do.
var signatures = sync.OnceValue(func() map[[4]byte][]string {
	table := map[[4]byte][]string{}
	add := func(types ...string) {
		canonical := "log(" + strings.Join(types, ",") + ")"
		for _, signature := range []string{canonical, strings.NewReplacer("uint256", "uint", "int256", "int").Replace(canonical)} {
			table[[4]byte(crypto.Keccak256([]byte(signature)))] = types
		}
	}
	var addLonger func(types []string)
	addLonger = func(types []string) {
		add(types...)
		if len(types) < 4 {
			for _, usual := range []string{"uint256", "string", "bool", "address"} {
				addLonger(append(slices.Clip(types), usual))
			}
		}
	}
	addLonger(nil)
	add("int256")
	add("string", "int256")
	add("bytes")
	for n := range 32 {
		add("bytes" + strconv.Itoa(n+1))
	}
	return table
})

// decode returns arguments of these types as Hardhat writes them.
func decode(types []string, data []byte) ([]string, error) {
	inputs := make(abi.Arguments, len(types))
	for i, name := range types {
		if name == "bool" {
			name = "uint256" // any number but 0 is true
		}
		inputs[i].Type, _ = abi.NewType(name, "", nil) // all of the table are types
	}
	values, err := inputs.Unpack(data)
	arguments := make([]string, len(values))
	for i, value := range values {
		switch v := value.(type) {
		case *big.Int:
			arguments[i] = v.String()
			if types[i] == "bool" {
				arguments[i] = strconv.FormatBool(v.Sign() != 0)
			}
		case string:
			arguments[i] = strings.ToValidUTF8(v, "\uFFFD")
		default:
			arguments[i] = fmt.Sprintf("0x%x", v)
		}
	}
	return arguments, err
}

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
			if !strings.Contains(text, other) && (other == `"` || !strings.Contains(text, "${")) {
				quote = other
				break
			}
		}
	}
	pairs := []string{`\`, `\\`, "\n", `\n`, "\t", `\t`, "\r", `\r`, "\b", `\b`, "\f", `\f`, "\x7f", `\x7F`}
	for c := range 0x20 {
		pairs = append(pairs, string(rune(c)), fmt.Sprintf(`\x%02X`, c))
	}
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
	case size != 0 && (size >= 1e21 || size < 1e-6):
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(n, 'e', -1, 64), "e")
		return mantissa + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}
