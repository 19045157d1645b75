package scenario

import (
	"fmt"
	"slices"
	"strings"
)

// Mark is the result of one story.
type Mark struct {
	Scenario string
	// LeftOut says why the story cannot be played on this chain; empty: it was played.
	LeftOut string
	// Failed says what is wrong with the answer; empty: passed. Step and Did are the move that fooled the back end, Rule
	// is what a correct client must conclude in the end.
	Failed string
	Step   int
	Did    string
	Rule   string
}

// String returns the lines of the story in a table.
func (m Mark) String() string {
	switch {
	case m.LeftOut != "":
		return fmt.Sprintf("left out  %s: %s\n", m.Scenario, m.LeftOut)
	case m.Failed == "":
		return fmt.Sprintf("passed  %s\n", m.Scenario)
	}
	lines := fmt.Sprintf("FAILED  %s, step %d: %s\n        %s\n", m.Scenario, m.Step, m.Failed, m.Did)
	if m.Rule != "" && m.Rule != m.Did {
		lines += fmt.Sprintf("        %s\n", m.Rule)
	}
	return lines
}

// Marks are the results of an exam, in the order of the stories.
type Marks []Mark

// Failed returns the stories that were failed.
func (m Marks) Failed() []Mark {
	return slices.DeleteFunc(slices.Clone(m), func(mark Mark) bool { return mark.Failed == "" })
}

// Played returns the stories that were played.
func (m Marks) Played() []Mark {
	return slices.DeleteFunc(slices.Clone(m), func(mark Mark) bool { return mark.LeftOut != "" })
}

// String returns a table: the lines of each story, and one with the sum.
func (m Marks) String() string {
	var b strings.Builder
	for _, mark := range m {
		b.WriteString(mark.String())
	}
	played := len(m.Played())
	fmt.Fprintf(&b, "%d of %d stories passed\n", played-len(m.Failed()), played)
	return b.String()
}
