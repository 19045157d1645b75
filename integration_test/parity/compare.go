package parity

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Difference is one between two answers to a call.
type Difference struct {
	Method string
	Where  string // the path of a member such as result.logs[].data, or error.code
	Ours   string // the value as JSON, or "absent"
	Theirs string
	Calls  []Call // the course that shows it, the call itself last
}

func (d Difference) String() string {
	return fmt.Sprintf("%s %s: ours %s, theirs %s", d.Method, d.Where, short(d.Ours), short(d.Theirs))
}

// kind names the differences that are probably one.
func (d Difference) kind() string {
	return fmt.Sprintf("%s %s: %s, %s", d.Method, d.Where, category(d.Where, d.Ours), category(d.Where, d.Theirs))
}

func category(where, value string) string {
	switch {
	case where == "error.code", where == "error.class", value == absent, value == "null", strings.HasPrefix(value, "error "):
		return short(value)
	case len(value) > 0:
		return "a value"
	}
	return "nothing"
}

func short(text string) string {
	if len(text) > 160 {
		return text[:157] + "…"
	}
	return text
}

const absent = "absent"

// defaultTolerance in seconds for times, as both nodes follow the wall clock. It grows while a course goes on: a node
// that is slow to answer makes its next block later.
const defaultTolerance = 3

// comparison compares answers. Values of 32 bytes that differ are hashes, and stay paired.
type comparison struct {
	theirs    map[string][]string // the partners of ours: a block that is made again after a revert may have its old hash
	common    map[string]bool     // hashes that both have given, such as those of transactions: they have no partners
	known     map[string]bool     // of theirs
	began     time.Time           // times are not below an hour before
	tolerance int64               // of times, in seconds
	found     []Difference
	method    string
}

func newComparison(began time.Time, tolerance int64) *comparison {
	return &comparison{
		theirs: map[string][]string{}, common: map[string]bool{}, known: map[string]bool{}, began: began, tolerance: cmp.Or(tolerance, defaultTolerance),
	}
}

// compare returns the differences of two answers.
func (c *comparison) compare(method string, ours, theirs *answer) []Difference {
	c.found, c.method = nil, method
	switch {
	case ours.Error == nil && theirs.Error == nil:
		c.value("result", decoded(ours.Result), decoded(theirs.Result))
	case ours.Error == nil:
		c.differ("error", "result "+string(ours.Result), said(theirs.Error))
	case theirs.Error == nil:
		c.differ("error", said(ours.Error), "result "+string(theirs.Result))
	default:
		if ours.Error.Code != theirs.Error.Code {
			c.differ("error.code", said(ours.Error), said(theirs.Error))
		} else if o, t := class(ours.Error.Message), class(theirs.Error.Message); o != t {
			c.differ("error.class", said(ours.Error), said(theirs.Error))
		}
		c.value("error.data", decoded(ours.Error.Data), decoded(theirs.Error.Data))
	}
	return c.found
}

// order brings lists of transactions and of their traces into one order, as that of what waits has members of its own.
func (c *comparison) order(where string, ours, theirs []any) {
	switch {
	case where == "result.transactions", c.method == "eth_pendingTransactions", c.method == "ots_searchTransactionsAfter":
		sortTransactions(ours)
		sortTransactions(theirs)
	case where == "result" && strings.HasPrefix(c.method, "debug_traceBlock"):
		o, t := slices.Clone(ours), slices.Clone(theirs)
		sortTransactions(o)
		sortTransactions(t)
		if slices.EqualFunc(o, t, func(a, b any) bool { return transactionKey(a) == transactionKey(b) }) { // not where one is impersonated
			copy(ours, o)
			copy(theirs, t)
		}
	}
}

// sortTransactions sorts transactions by their senders and nonces, receipts by their places, traces by their
// transactions. Of hashes it leaves the order.
func sortTransactions(items []any) {
	slices.SortStableFunc(items, func(a, b any) int { return cmp.Compare(transactionKey(a), transactionKey(b)) })
}

func transactionKey(item any) string {
	of, _ := item.(map[string]any)
	return fmt.Sprintf("%v%18v%18v%18v%v", of["from"], of["nonce"], of["blockNumber"], of["transactionIndex"], of["txHash"])
}

func said(f *failure) string { return fmt.Sprintf("error %d %s", f.Code, f.Message) }

func decoded(text json.RawMessage) any {
	if text == nil {
		return nil
	}
	var value any
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return string(text)
	}
	return value
}

// classes are the patterns by which viem and ethers tell errors apart. Of a revert they read the whole text.
var classes = []*regexp.Regexp{
	regexp.MustCompile(`(?i)(execution reverted|reverted with).*`),
	regexp.MustCompile(`(?i)max fee per gas higher than 2\^256-1|fee cap higher than 2\^256-1`),
	regexp.MustCompile(`(?i)max fee per gas less than block base fee|fee cap less than block base fee|transaction is outdated`),
	regexp.MustCompile(`(?i)nonce too high`),
	regexp.MustCompile(`(?i)nonce too low|transaction already imported|already known`),
	regexp.MustCompile(`(?i)nonce has max value`),
	regexp.MustCompile(`(?i)insufficient funds|exceeds transaction sender account balance`),
	regexp.MustCompile(`(?i)intrinsic gas too high|gas limit reached`),
	regexp.MustCompile(`(?i)intrinsic gas too low`),
	regexp.MustCompile(`(?i)transaction type not (valid|supported)`),
	regexp.MustCompile(`(?i)max priority fee per gas higher than max fee per gas|tip higher than fee cap`),
	regexp.MustCompile(`(?i)replacement transaction.*underpriced|underpriced`),
	regexp.MustCompile(`(?i)filter not found`),
	regexp.MustCompile(`(?i)reverted without a reason`), // these are Hardhat's, which its chai matchers and ethers read
	regexp.MustCompile(`(?i)ran out of gas`),
	regexp.MustCompile(`(?i)invalid opcode$`),
	regexp.MustCompile(`(?i)too low for the next block`),
	regexp.MustCompile(`(?i)have enough funds`),
	regexp.MustCompile(`(?i)exceeds block gas limit`),
	regexp.MustCompile(`(?i)unknown account`),
	regexp.MustCompile(`(?i)invalid block tag`),
}

// class returns the part or pattern of an error's text that clients read, or "".
func class(message string) string {
	for i, pattern := range classes {
		if found := pattern.FindString(message); found != "" && i == 0 {
			return found
		} else if found != "" {
			return pattern.String()
		}
	}
	return ""
}

func (c *comparison) differ(where, ours, theirs string) {
	for _, known := range c.found {
		if known.Where == where {
			return
		}
	}
	c.found = append(c.found, Difference{Method: c.method, Where: where, Ours: ours, Theirs: theirs})
}

func (c *comparison) value(where string, ours, theirs any) {
	switch o := ours.(type) {
	case map[string]any:
		if t, ok := theirs.(map[string]any); ok {
			c.object(where, o, t)
			return
		}
	case []any:
		if t, ok := theirs.([]any); ok {
			c.order(where, o, t)
			if len(o) != len(t) {
				c.differ(where+"[]", fmt.Sprintf("%d items", len(o)), fmt.Sprintf("%d items", len(t)))
				return
			}
			for i := range o {
				c.value(where+"[]", o[i], t[i])
			}
			return
		}
	case json.Number:
		if t, ok := theirs.(json.Number); ok && sameNumber(o, t) {
			return
		}
	case string:
		if t, ok := theirs.(string); ok {
			if strings.HasSuffix(where, ".stack[]") || strings.HasSuffix(where, ".memory[]") {
				o, t = wholeWord(o), wholeWord(t)
			}
			c.texts(where, o, t)
			return
		}
	}
	if o, t := shown(ours), shown(theirs); o != t && !c.near(o, t) {
		c.differ(where, o, t)
	}
}

// texts compares two texts. Each word that the observer returns is a member with the name of its opcode.
func (c *comparison) texts(where, ours, theirs string) {
	if strings.HasSuffix(where, ".returnValue") && strings.HasPrefix(ours, "0x") != strings.HasPrefix(theirs, "0x") {
		c.differ(where, shown(ours), shown(theirs)) // in form
		ours, theirs = "0x"+strings.TrimPrefix(ours, "0x"), "0x"+strings.TrimPrefix(theirs, "0x")
	}
	if c.same(ours, theirs) {
		return
	}
	o, t := strings.TrimPrefix(ours, "0x"), strings.TrimPrefix(theirs, "0x")
	if len(o) != 64*len(observed) || len(o) != len(t) {
		c.differ(where, shown(ours), shown(theirs))
		return
	}
	for i, opcode := range observed {
		c.texts(where+"."+opcode.String(), "0x"+o[i*64:][:64], "0x"+t[i*64:][:64])
	}
}

// wholeWord returns a word of the stack or memory that is as long as a hash with its leading zeros.
func wholeWord(text string) string {
	if digits := strings.TrimPrefix(text, "0x"); len(digits) > 56 {
		return "0x" + strings.Repeat("0", max(0, 64-len(digits))) + digits
	}
	return text
}

// sameNumber reports whether two numbers are one, such as 0 and 0.0, or fractions that differ by what rounding does.
func sameNumber(ours, theirs json.Number) bool {
	o, okOurs := new(big.Rat).SetString(ours.String())
	t, okTheirs := new(big.Rat).SetString(theirs.String())
	if !okOurs || !okTheirs || o.Cmp(t) == 0 {
		return okOurs && okTheirs
	}
	apart := new(big.Rat).Abs(new(big.Rat).Sub(o, t))
	return !o.IsInt() && apart.Mul(apart, big.NewRat(1_000_000_000_000, 1)).Cmp(o) < 0
}

func shown(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}

// object compares two objects. Members with the names of addresses and numbers have the path {}.
func (c *comparison) object(where string, ours, theirs map[string]any) {
	ours, theirs = lowered(ours), lowered(theirs)
	for _, name := range sortedNames(ours, theirs) {
		path := where + "." + name
		if strings.HasPrefix(name, "0x") || len(name) > 0 && name[0] >= '0' && name[0] <= '9' {
			path = where + ".{}"
		}
		o, inOurs := ours[name]
		t, inTheirs := theirs[name]
		switch {
		case inOurs && inTheirs:
			c.value(path, o, t)
		case inOurs:
			c.differ(path, shown(o), absent)
		case inTheirs:
			c.differ(path, absent, shown(t))
		}
	}
}

// lowered returns an object whose names of addresses are in lower case.
func lowered(object map[string]any) map[string]any {
	same := make(map[string]any, len(object))
	for name, member := range object {
		if strings.HasPrefix(name, "0x") {
			name = strings.ToLower(name)
		}
		same[name] = member
	}
	return same
}

func sortedNames(objects ...map[string]any) []string {
	var names []string
	for _, object := range objects {
		for name := range object {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// same reports whether two texts are one value: equal but for the case of hexadecimal digits, paired hashes, or times.
func (c *comparison) same(ours, theirs string) bool {
	if ours == theirs || strings.HasPrefix(ours, "0x") && strings.EqualFold(ours, theirs) {
		if len(ours) == 66 {
			c.common[ours] = true
		}
		return true
	}
	if !strings.HasPrefix(ours, "0x") || !strings.HasPrefix(theirs, "0x") {
		return c.near(ours, theirs)
	}
	if len(ours) != len(theirs) || len(ours) < 66 {
		return c.near(ours, theirs)
	}
	// Words of 32 bytes, perhaps behind a selector.
	at := 2
	if (len(ours)-2)%64 == 8 {
		at = 10
	}
	if (len(ours)-at)%64 != 0 || ours[:at] != theirs[:at] {
		return false
	}
	for ; at < len(ours); at += 64 {
		if o, t := ours[at:at+64], theirs[at:at+64]; o != t && !c.pair("0x"+o, "0x"+t) && !c.near("0x"+o, "0x"+t) {
			return false
		}
	}
	return true
}

// pair reports whether two different hashes are or become partners. A small number is no hash.
func (c *comparison) pair(ours, theirs string) bool {
	const small = "0x00000000"
	if strings.HasPrefix(ours, small) || strings.HasPrefix(theirs, small) || c.common[ours] || c.common[theirs] {
		return false
	}
	if c.theirs[ours] == nil || !c.known[theirs] {
		c.theirs[ours], c.known[theirs] = append(c.theirs[ours], theirs), true
	}
	return slices.Contains(c.theirs[ours], theirs)
}

// near reports whether both are times of the course that differ by no more than the tolerance.
func (c *comparison) near(ours, theirs string) bool {
	o, t := quantity(ours), quantity(theirs)
	if o == nil || t == nil {
		return false
	}
	first, apart := big.NewInt(c.began.Unix()-3600), new(big.Int).Sub(o, t)
	last := big.NewInt(c.began.Unix() + courseLength*mostAhead)
	return o.Cmp(first) >= 0 && o.Cmp(last) < 0 && apart.CmpAbs(big.NewInt(c.tolerance+int64(time.Since(c.began).Seconds()))) <= 0
}

func quantity(text string) *big.Int {
	number, ok := new(big.Int).SetString(strings.Trim(text, `"`), 0)
	if !ok {
		if number, ok = new(big.Int).SetString(strings.TrimPrefix(text, "0x"), 16); !ok {
			return nil
		}
	}
	return number
}
