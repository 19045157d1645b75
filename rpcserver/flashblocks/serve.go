package flashblocks

import (
	"net/http"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// ServeHTTP serves the feed to a client that opens a WebSocket.
func (f *Feed) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if none := f.config.Timeline.Moment().NoFlashblocks(); none != nil {
		http.Error(w, "not found: "+req.URL.Path+": "+none.Error(), http.StatusNotFound)
		return
	}
	if req.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		http.Error(w, "method not allowed: "+req.Method, http.StatusMethodNotAllowed)
		return
	}
	q, err := parseQuery(req.URL.RawQuery, f.config.Brotli)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	f.config.Endpoint.ServeStream(w, req, jsonrpc.Stream{
		Kind:   Kind,
		Binary: q.compressed,
		Start: func(sub *jsonrpc.Subscription) (stop func()) {
			return f.join(sub, q)
		},
		CatchUp: func() { f.catchUp(q.compressed) },
	})
}
