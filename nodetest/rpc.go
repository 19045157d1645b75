package nodetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// Error is the error of a JSON-RPC answer.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Error returns the message, and the code behind it.
func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// client keeps connections open for as many tests as run at once.
var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}

// Call calls a method of the node, any that docs/rpc.md lists, and stores its result in what result points to; nil
// drops it. The error is an *Error where the node answered with one.
func (n *Network) Call(ctx context.Context, result any, method string, params ...any) error {
	if params == nil {
		params = []any{}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, n.url, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	defer response.Body.Close()
	var answer struct {
		Result json.RawMessage
		Error  *Error
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return fmt.Errorf("%s: %s: %w", method, response.Status, err)
	}
	if answer.Error != nil {
		return answer.Error
	}
	if result == nil {
		return nil
	}
	if err := json.Unmarshal(answer.Result, result); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

// hexText returns an address or hash as text: a string as it is, else what String returns.
func hexText(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case fmt.Stringer:
		return v.String(), nil
	case nil:
		return "", errors.New("an address or hash is nil, want text or something with a String method")
	}
	return "", fmt.Errorf("an address or hash is a %T, want text or something with a String method", value)
}
