package jsonrpc

import (
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
)

// entryCost is the number of bytes that a queue's entry counts besides its contents: about the memory it takes.
const entryCost = 64

// News is a set of results for one or more subscriptions. Their bytes are in memory once, however many clients have not
// read them. The zero value is empty. Safe for concurrent use.
type News struct {
	mu      sync.Mutex
	backlog *backlog // of the server, from the first holder on
	size    int      // bytes of the results, each counted once
	holders int      // entries of queues that have not been written
}

// Add counts results that Notify will get with this News.
func (n *News) Add(results []json.RawMessage) {
	size := 0
	for _, result := range results {
		size += len(result)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.size += size
	if n.holders > 0 {
		n.backlog.add(size)
	}
}

// hold counts an entry of a queue of the server.
func (n *News) hold(b *backlog) {
	n.mu.Lock()
	defer n.mu.Unlock()
	size := entryCost
	if n.holders++; n.holders == 1 {
		n.backlog = b
		size += n.size
	}
	b.add(size)
}

// release is called when an entry that was held has been written or dropped.
func (n *News) release() {
	n.mu.Lock()
	defer n.mu.Unlock()
	size := entryCost
	if n.holders--; n.holders == 0 {
		size += n.size
	}
	n.backlog.add(-size)
}

// backlog counts the bytes that clients of a server have not read. News that several wait for counts once, but
// entryCost each time. Safe for concurrent use, without a lock, for which the writers of all connections would queue.
type backlog struct {
	limit      int
	bytes      atomic.Int64
	unfinished atomic.Int64 // bytes of the answers to batches that are not complete yet
}

// addUnfinished adds bytes of an answer to a batch that is not complete yet, and subtracts them if size is negative.
func (b *backlog) addUnfinished(size int) { b.unfinished.Add(int64(size)) }

// full reports whether batches should run no further calls: complete answers that fill half of the room are not cut.
func (b *backlog) full() bool {
	limit, unfinished := int64(b.limit), b.unfinished.Load()
	return unfinished > limit/2 || b.bytes.Load()+unfinished > limit
}

func (b *backlog) add(size int) { b.bytes.Add(int64(size)) }

func (b *backlog) over() bool { return b.bytes.Load() > int64(b.limit) }

// relieve cuts off the clients with the most unread bytes, the largest first, until all unread bytes together are
// within Limits.SubscribersMemory. The caller holds no lock.
func (s *Server) relieve() {
	if !s.backlog.over() {
		return
	}
	s.relieving.Lock() // one at a time: several would each cut off another client
	defer s.relieving.Unlock()
	for s.backlog.over() {
		slowest := s.slowest()
		if slowest == nil {
			return
		}
		slowest.cutOff(fmt.Sprintf("all clients together have more than %d bytes unread", s.limits.SubscribersMemory))
	}
}

// debtor is a connection or an answer over HTTP with bytes that its client has not read.
type debtor interface {
	unread() int
	cutOff(reason string)
}

// slowest returns the open connection or the answer over HTTP with the most bytes unread, or nil if none has any.
func (s *Server) slowest() (slowest debtor) {
	most := 0
	look := func(d debtor) {
		if unread := d.unread(); unread > most {
			slowest, most = d, unread
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for a := range s.answers {
		look(a)
	}
	for e := range s.endpoints {
		e.mu.Lock()
		for c := range e.connections {
			look(c)
		}
		e.mu.Unlock()
	}
	return slowest
}

// unread returns the bytes that the client of an open connection has not read.
func (c *connection) unread() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.phase != open {
		return 0
	}
	return max(c.unsent, c.notified)
}

// cutOff ends the connection of a client that does not read. Only the log has the reason: no farewell would be read.
func (c *connection) cutOff(reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.phase != open {
		return
	}
	c.endpoint.server.log.Warn("WebSocket client cut off", "client", c.ws.RemoteAddr().String(), "unread", max(c.unsent, c.notified), "reason", reason)
	c.endLocked()
	for _, sub := range c.subscriptions {
		c.forget(sub)
	}
	c.dropQueue()
	for i := range c.writing { // the writer still holds them, but not for long: its socket is closed
		c.release(&c.writing[i])
	}
}

// dropQueue drops the entries that the writer has not taken; the caller holds mu, and nothing is queued any more.
func (c *connection) dropQueue() {
	for i := range c.out {
		c.release(&c.out[i])
	}
	c.out = nil
}

// release removes an entry from the backlog, unless it was removed before; the caller holds mu.
func (c *connection) release(o *outgoing) {
	if o.news != nil {
		o.news.release()
		o.news = nil
	}
	c.endpoint.server.backlog.add(-o.charged)
	o.charged = 0
}
