package recording

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/gorilla/websocket"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// target returns the URL of the event's network on a node at the address given.
func target(scheme, address string, e *Event) string {
	url := scheme + "://" + address + e.Path
	if e.Observer {
		url += "?observer"
	}
	return url
}

// post sends the event's message and describes the answer. Its Host header is the recorded client's.
func post(ctx context.Context, address string, e *Event) (answer chan string) {
	answer = make(chan string, 1)
	go func() {
		code, body, err := exchange(ctx, target("http", address, e), e.Host, e.Payload)
		if err != nil {
			answer <- cut
			return
		}
		answer <- status(code, body)
	}()
	return answer
}

func exchange(ctx context.Context, url, host string, body []byte) (int, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Host = host
	request.Header.Set("Content-Type", "application/json")
	request.GetBody = nil // not sent again if the node cuts the connection
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return response.StatusCode, answer, err
}

type socket struct {
	ws *websocket.Conn
	// early are answers that came earlier than in the recording: a waiting call is answered as soon as its event is there,
	// in the recording perhaps after later messages.
	early []string
}

// dial opens the connection of the event.
func dial(ctx context.Context, address string, e *Event) (*socket, error) {
	dialer := websocket.Dialer{NetDialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, address)
	}}
	ws, response, err := dialer.DialContext(ctx, target("ws", e.Host, e), nil)
	if err != nil {
		return nil, err
	}
	_ = response.Body.Close()
	return &socket{ws: ws}, nil
}

// receive returns the message in the event's place: the answer to the same call, else the next message that is no
// answer. If the connection ends first, it describes the end.
func (s *socket) receive(e *Event) string {
	var wanted []string
	if e.Kind == jsonrpc.TapAnswer {
		wanted = answeredIDs(e.Payload)
	}
	if i := slices.IndexFunc(s.early, func(message string) bool { return slices.Equal(answeredIDs([]byte(message)), wanted) }); i >= 0 {
		message := s.early[i]
		s.early = slices.Delete(s.early, i, i+1)
		return message
	}
	for {
		message := s.next()
		if ids := answeredIDs([]byte(message)); len(ids) == 0 || slices.Equal(ids, wanted) {
			return message
		}
		s.early = append(s.early, message)
	}
}

// next waits for the next message and describes it, or the end of the connection.
func (s *socket) next() string {
	if err := s.ws.SetReadDeadline(time.Now().Add(answerWait)); err != nil {
		return err.Error()
	}
	_, message, err := s.ws.ReadMessage()
	var closed *websocket.CloseError
	var timeout net.Error
	switch {
	case err == nil:
		return string(message)
	case errors.As(err, &timeout) && timeout.Timeout():
		return nothing
	case errors.As(err, &closed) && closed.Code != websocket.CloseAbnormalClosure:
		return fmt.Sprintf("%s %d %s", cut, closed.Code, closed.Text)
	}
	return cut
}
