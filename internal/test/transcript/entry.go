package transcript

import (
	"fmt"
	"strings"
)

// entry is a part of a conversation that begins with a mark.
type entry struct {
	line int    // number of its first line
	mark string // "" if it is a comment or blank
	rest string // text after the mark, with the lines that continue it
	text string // the entry as it stands in the file, without its last line break
}

// parse splits the text of a conversation into entries.
func parse(text string) ([]entry, error) {
	var entries []entry
	for i, line := range strings.Split(text, "\n") {
		if trimmed := strings.TrimSpace(line); trimmed != "" && strings.ContainsAny(line[:1], " \t") {
			if len(entries) == 0 || entries[len(entries)-1].mark == "" {
				return nil, fmt.Errorf("line %d: an indented line continues an entry, but there is none before it", i+1)
			}
			last := &entries[len(entries)-1]
			last.rest += "\n" + trimmed
			last.text += "\n" + line
			continue
		}
		e := entry{line: i + 1, text: line}
		if !strings.HasPrefix(line, "//") {
			e.mark, e.rest, _ = strings.Cut(strings.TrimSpace(line), " ")
			e.rest = strings.TrimSpace(e.rest)
		}
		entries = append(entries, e)
	}
	return entries, nil
}
