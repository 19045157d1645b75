package parity

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
)

// Row is a difference that is meant, from the table of a peer in docs/maintainers/parity.md.
type Row struct {
	Methods      []string // patterns as of path.Match, each perhaps with conditions: see holds
	Where        []string // patterns for Difference.Where
	Ours, Theirs []string // patterns for the values; * is any text
	Shows        [][]Call // courses of calls to new nodes, which have the difference in each member
	Line         string
}

// Table returns the rows of the section of a peer in a page.
func Table(page, peer string) ([]Row, error) {
	text, err := os.ReadFile(page)
	if err != nil {
		return nil, err
	}
	_, section, found := strings.Cut(string(text), "\n## "+peer+"\n")
	if !found {
		return nil, fmt.Errorf("%s has no section %q", page, peer)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	var rows []Row
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		row, err := parseRow(line)
		if err != nil {
			return nil, fmt.Errorf("%s: %w in %s", page, err, line)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// parseRow reads a row: methods, members, ours, theirs, why, calls that show it.
func parseRow(line string) (Row, error) {
	cells := strings.Split(strings.Trim(strings.TrimSpace(strings.ReplaceAll(line, `\|`, "\x00")), "|"), "|")
	if len(cells) != 6 {
		return Row{}, fmt.Errorf("%d columns, want 6", len(cells))
	}
	for i := range cells {
		cells[i] = strings.Trim(strings.ReplaceAll(strings.TrimSpace(cells[i]), "\x00", "|"), "`")
	}
	row := Row{
		Methods: patterns(cells[0]), Where: patterns(cells[1]), Ours: strings.Split(cells[2], "`, `"), Theirs: strings.Split(cells[3], "`, `"), Line: strings.TrimSpace(line),
	}
	for course := range strings.SplitSeq(cells[5], " ;; ") {
		calls, err := parseCalls(course)
		if err != nil {
			return Row{}, err
		}
		row.Shows = append(row.Shows, calls)
	}
	return row, nil
}

func patterns(cell string) []string {
	list := strings.Split(cell, ",")
	for i := range list {
		list[i] = strings.Trim(list[i], " `")
	}
	return list
}

// lists reports whether the row has a difference.
func (r Row) lists(d Difference) bool {
	for _, method := range r.Methods {
		method, conditions, _ := strings.Cut(method, " ")
		if ok, _ := path.Match(method, d.Method); ok && holds(conditions, d.Calls) {
			isThere := func(where string) bool { return like(where, d.Where) }
			return slices.ContainsFunc(r.Where, isThere) && likeAny(r.Ours, d.Ours) && likeAny(r.Theirs, d.Theirs)
		}
	}
	return false
}

// holds reports whether conditions that are joined by " and " are true of the last of some calls: a value is one of its
// parameters, "!" and a value is none of them, "after" and a pattern is the method of a call before it, "with" or
// "without" and a text is somewhere in its parameters, or nowhere.
func holds(conditions string, calls []Call) bool {
	last, before := calls[len(calls)-1], calls[:len(calls)-1]
	for condition := range strings.SplitSeq(conditions, " and ") {
		kind, text, _ := strings.Cut(condition, " ")
		holds := true
		switch {
		case kind == "after":
			holds = slices.ContainsFunc(before, func(c Call) bool { return like(text, c.Method) })
		case kind == "with", kind == "without":
			holds = strings.Contains(last.String(), text) == (kind == "with")
		case strings.HasPrefix(kind, "!"):
			holds = !slices.Contains(last.Params, any(kind[1:]))
		case kind != "":
			holds = slices.Contains(last.Params, any(kind))
		}
		if !holds {
			return false
		}
	}
	return true
}

// listing returns the place of the row that lists a difference, or -1.
func listing(rows []Row, d Difference) int {
	return slices.IndexFunc(rows, func(r Row) bool { return r.lists(d) })
}

// likeAny reports whether a text is as one of the patterns has it.
func likeAny(patterns []string, text string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return like(pattern, text) })
}

// like reports whether a text is as a pattern has it, in which * is any text.
func like(pattern, text string) bool {
	first, rest, found := strings.Cut(pattern, "*")
	text, begins := strings.CutPrefix(text, first)
	switch {
	case !begins:
		return false
	case !found:
		return text == ""
	}
	for {
		part, after, more := strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(text, part)
		}
		at := strings.Index(text, part)
		if at < 0 {
			return false
		}
		text, rest = text[at+len(part):], after
	}
}
