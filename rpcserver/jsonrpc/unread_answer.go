package jsonrpc

import (
	"net/http"
	"time"
)

// longAnswer is the size of an answer over HTTP, in bytes, above which it counts as unread while it is written. The
// system buffers shorter ones at once.
const longAnswer = 64 << 10

// unreadAnswer is a long answer over HTTP that its client has not read to the end.
type unreadAnswer struct {
	server  *Server
	client  string
	size    int
	memory  int
	writing *http.ResponseController
}

// writeAnswer writes an answer over HTTP. It panics with http.ErrAbortHandler when the client was cut off, so that
// net/http closes the connection.
func (s *Server) writeAnswer(w http.ResponseWriter, req *http.Request, answer *buffer) {
	if answer.size() > longAnswer {
		u := &unreadAnswer{server: s, client: req.RemoteAddr, size: answer.size(), memory: answer.memory(), writing: http.NewResponseController(w)}
		u.begin()
		defer func() {
			if !u.settle() {
				*answer = buffer{} // its memory is needed for others
				panic(http.ErrAbortHandler)
			}
		}()
		s.relieve()
	}
	_ = answer.write(w.Write) // fails if the client is gone, and then nobody can get the error
}

func (u *unreadAnswer) begin() {
	s := u.server
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.answers == nil {
		s.answers = make(map[*unreadAnswer]struct{})
	}
	s.answers[u] = struct{}{}
	s.backlog.add(u.memory)
}

// settle removes the answer from the backlog and reports whether it was there: it is not once it was cut off or is
// over.
func (u *unreadAnswer) settle() bool {
	s := u.server
	s.mu.Lock()
	defer s.mu.Unlock()
	_, waits := s.answers[u]
	if waits {
		delete(s.answers, u)
		s.backlog.add(-u.memory)
	}
	return waits
}

func (u *unreadAnswer) unread() int { return u.size }

// cutOff ends the writing, unless it is over. A server without deadlines has limits of its own.
func (u *unreadAnswer) cutOff(reason string) {
	if u.settle() {
		u.server.log.Warn("HTTP client cut off", "client", u.client, "unread", u.size, "reason", reason)
		_ = u.writing.SetWriteDeadline(time.Now())
	}
}
