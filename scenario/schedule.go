package scenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fakenode/fakenode/internal/spelling"
)

// Accident is one move of a Schedule. As text it is its name and two numbers, such as "reorg 1 0". What the numbers
// mean depends on the state: a payment, a depth, a method are counted round.
type Accident struct {
	Name string
	A, B int
}

// MarshalText implements encoding.TextMarshaler.
func (a Accident) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%s %d %d", a.Name, a.A, a.B), nil
}

// UnmarshalText implements encoding.TextUnmarshaler. The error names what is no accident.
func (a *Accident) UnmarshalText(text []byte) error {
	words, err := fmt.Sscanf(string(text), "%s %d %d", &a.Name, &a.A, &a.B)
	if err != nil || words != 3 || a.A < 0 || a.B < 0 || kindOf(a.Name) < 0 {
		return fmt.Errorf("%.40q is no move: want a name and two numbers, such as %q; the names are %s", text, "reorg 1 0", strings.Join(AccidentNames(), ", "))
	}
	return nil
}

// Schedule is a course of accidents, and why a back end failed it.
type Schedule struct {
	Version int        `json:"version"`
	Seed    uint64     `json:"seed"`
	Depth   int        `json:"depth"`
	Moves   []Accident `json:"moves"`
	Failed  string     `json:"failed"`
}

// scheduleVersion is the version of Schedules as JSON.
const scheduleVersion = 1

// ReadSchedule reads a Schedule from JSON. The error names the wrong member.
func ReadSchedule(r io.Reader) (s Schedule, err error) {
	decoder := json.NewDecoder(r)
	decoder.DisallowUnknownFields()
	switch err := decoder.Decode(&s); {
	case err != nil:
		return s, fmt.Errorf("no schedule: %w", spelling.JSON(err))
	case s.Version != scheduleVersion:
		return s, fmt.Errorf("a schedule of version %d: this program reads version %d", s.Version, scheduleVersion)
	case s.Depth < 0 || s.Depth > MaxDepth:
		return s, fmt.Errorf("a schedule of depth %d: want 1 to %d", s.Depth, MaxDepth)
	case len(s.Moves) == 0:
		return s, errors.New("a schedule without moves")
	}
	return s, nil
}

// String returns the moves, with commas between them.
func (s Schedule) String() string {
	var moves []string
	for _, move := range s.Moves {
		text, _ := move.MarshalText() // it has no error
		moves = append(moves, string(text))
	}
	return strings.Join(moves, ", ")
}

// ParseSchedule reads what String returns.
func ParseSchedule(text string) (s Schedule, err error) {
	s.Version = scheduleVersion
	for move := range strings.SplitSeq(text, ", ") {
		var a Accident
		if err := a.UnmarshalText([]byte(move)); err != nil {
			return s, err
		}
		s.Moves = append(s.Moves, a)
	}
	return s, nil
}

// shorter returns the schedules that are a little shorter or have smaller numbers, those that are much shorter first.
func shorter(moves []Accident) (all [][]Accident) {
	for size := (len(moves) + 1) / 2; size > 0; size /= 2 {
		for start := 0; start+size <= len(moves) && size < len(moves); start += max(1, size/2) {
			all = append(all, slices.Delete(slices.Clone(moves), start, start+size))
		}
	}
	for i, move := range moves {
		try := func(less Accident) {
			if less.A+less.B < move.A+move.B {
				changed := slices.Clone(moves)
				changed[i] = less
				all = append(all, changed)
			}
		}
		for _, n := range []int{0, 1, 2, 3, move.A / 2} {
			try(Accident{move.Name, n, move.B})
		}
		for _, n := range []int{0, 1, 2, 3, move.B / 2} {
			try(Accident{move.Name, move.A, n})
		}
	}
	return all
}
