// Package post answers small POSTs over HTTP/1.1 faster than net/http: there, another goroutine reads on while any
// request is answered, to notice a client that leaves, which takes longer than a small answer. Here a connection reads
// on only while an answer takes long. It understands one kind of request (see parse) and hands it to the handler of an
// http.Server; with the first request of any other kind, the connection goes over to net/http for good.
package post
