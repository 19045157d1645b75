// Package console decodes console.log of Hardhat's and Foundry's libraries: calls of an address without code, whose
// data name the types of the arguments by a selector. It formats them as Hardhat does.
package console

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
)

// Line returns the line that a call of the console with this data writes. Data that are no such call, or whose
// arguments are cut short, are shown in hex. Safe for concurrent use.
func Line(data []byte) string {
	if len(data) >= 4 {
		if types, ok := signatures()[[4]byte(data)]; ok {
			if arguments, ok := decode(types, data[4:]); ok {
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
	add()
	usual := []string{"uint256", "string", "bool", "address"}
	lists := [][]string{nil}
	for range 4 {
		var longer [][]string
		for _, list := range lists {
			for _, one := range usual {
				longer = append(longer, append(append([]string(nil), list...), one))
			}
		}
		for _, list := range longer {
			add(list...)
		}
		lists = longer
	}
	add("int256")
	add("string", "int256")
	add("bytes")
	for n := range 32 {
		add("bytes" + strconv.Itoa(n+1))
	}
	return table
})

// decode returns arguments of these types as text, or false if data are too short for them.
func decode(types []string, data []byte) (arguments []string, ok bool) {
	for i, name := range types {
		word, ok := part(data, uint64(32*i), 32)
		if !ok {
			return nil, false
		}
		text, ok := value(name, word, data)
		if !ok {
			return nil, false
		}
		arguments = append(arguments, text)
	}
	return arguments, true
}

// value returns one argument as Hardhat writes it; offsets count from the beginning of data.
func value(name string, word, data []byte) (text string, ok bool) {
	switch name {
	case "uint256":
		return new(big.Int).SetBytes(word).String(), true
	case "int256":
		n := new(big.Int).SetBytes(word)
		if word[0]&0x80 != 0 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), 256))
		}
		return n.String(), true
	case "bool":
		return strconv.FormatBool(word[31] != 0), true
	case "address":
		return hexutil.Encode(common.BytesToAddress(word).Bytes()), true
	case "string", "bytes":
		content, ok := dynamic(word, data)
		if name == "bytes" {
			return hexutil.Encode(content), ok
		}
		return strings.ToValidUTF8(string(content), "\uFFFD"), ok
	}
	size, err := strconv.Atoi(strings.TrimPrefix(name, "bytes"))
	return hexutil.Encode(word[:size]), err == nil
}

// dynamic returns the bytes at the place that the word gives.
func dynamic(word, data []byte) (content []byte, ok bool) {
	at, ok := small(word)
	if !ok {
		return nil, false
	}
	length, ok := part(data, at, 32)
	if !ok {
		return nil, false
	}
	size, ok := small(length)
	if !ok {
		return nil, false
	}
	return part(data, at+32, size)
}

// small returns a word as a number, if it is below 2^32.
func small(word []byte) (n uint64, ok bool) {
	return binary.BigEndian.Uint64(word[24:]), common.BytesToHash(word[:28]) == common.Hash{}
}

// part returns size bytes of data from at on; ok is false if there are fewer.
func part(data []byte, at, size uint64) (content []byte, ok bool) {
	if end := at + size; end <= uint64(len(data)) {
		return data[at:end], true
	}
	return nil, false
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
