// Package spelling words errors about what people type: it finds the name that somebody meant who mistyped one, and
// says what is wrong with JSON.
package spelling

import "iter"

// longest is the longest text that is compared with names, in bytes.
const longest = 100

// Nearest returns the name that differs from a mistyped one in the fewest letters, "" if none is near.
func Nearest(mistyped string, names iter.Seq[string]) (found string) {
	if len(mistyped) > longest {
		return ""
	}
	least := min(len(mistyped), max(3, len(mistyped)/3+1))
	for name := range names {
		if d := distance(mistyped, name); d < least || d == least && found != "" && name < found {
			least, found = d, name
		}
	}
	return found
}

// distance returns the number of letters to insert, remove or replace to make b of a (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := before
			if a[i] != b[j] {
				replaced++
			}
			before = row[j+1]
			row[j+1] = min(replaced, before+1, row[j]+1)
		}
	}
	return row[len(b)]
}
