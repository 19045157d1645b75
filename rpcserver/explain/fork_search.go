package explain

import (
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// maxBelow is the number of blocks at or below a fork block that one call searches: each takes several requests to the
// other chain, and executing it takes more.
const maxBelow = 256

// belowSearch counts the blocks at or below a fork block that a call searches.
type belowSearch struct {
	request *api.Request
	visited int
}

// begins reports whether v is the first such block.
func (s *belowSearch) begins(v *preconf.View) bool { return s.visited == 0 && v.Ancestral() }

// visit counts v. It returns an error if v is one too many.
func (s *belowSearch) visit(v *preconf.View) error {
	if !v.Ancestral() {
		return nil
	}
	if s.visited == maxBelow {
		return api.Errorf(api.CodeServer, "%s searches at most %d blocks at or below the fork block, and has come to block %d: ask for fewer",
			s.request.Method, maxBelow, v.Number())
	}
	s.visited++
	return nil
}
