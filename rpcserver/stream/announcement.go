package stream

import (
	"encoding/json"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// Announcement is an event on its way to the subscriptions, with the encodings that one of them has asked for.
type Announcement struct {
	*preconf.Event
	profile   shape.Profile
	encodings [encodings][]json.RawMessage // nil where nobody has asked
	news      *jsonrpc.News                // all of them: kept once for all subscriptions
}

// encoded returns the event's items in an encoding, which is made the first time it is asked for.
func (a *Announcement) encoded(as encoding, encode func() []json.RawMessage) []json.RawMessage {
	if a.encodings[as] == nil {
		a.encodings[as] = encode()
		a.news.Add(a.encodings[as])
	}
	return a.encodings[as]
}
