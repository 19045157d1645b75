package parity

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Peer is a node that ours is compared with, and how both are started for a course.
type Peer struct {
	Name string
	// Like names the peer whose rows hold with this one, too. Empty: none.
	Like string
	// Start starts two new nodes, also while others run.
	Start Start
	// AtOnce is how many courses are played at the same time: the more the longer a peer lets its callers wait. Zero: 1.
	AtOnce int
	// Settled reports whether theirs has done everything that its last answer promised, such as sealing a transaction.
	// Nil: it always has.
	Settled func(ctx context.Context, theirs *Node) bool
	// Forgets are calls that follow each of goBack, to bring both nodes to one state where they are known to be in two.
	Forgets []Call
	// Pool is the method that shows whether the pools have become two. Empty: txpool_status.
	Pool string
	// Moves is the method that sets the clocks after each of goBack. Empty: evm_setTime.
	Moves string
	// Lacks are patterns of methods that only ours has: they are not called.
	Lacks []string
	// Kinds are the parameters of methods that take others with this peer than methodKinds has, and Weights those of
	// methods that are called more often than others are.
	Kinds   map[string]string
	Weights map[string]int
	// Placed reports whether both nodes begin with the contracts, as those of GethGenesis do. Else hardhat_setCode places
	// them.
	Placed bool
	// Tolerance is by how many seconds times may differ. Zero: 3.
	Tolerance int64
	// Masked names the differences that two nodes have by nature: a method or *, a blank and the path of a member, as in
	// Row.Where.
	Masked []string
}

// Start starts ours and theirs and returns their URLs, and a function that ends both.
type Start func(ctx context.Context) (ours, theirs string, stop func(), err error)

// Node is a running node. Its results are kept by the calls' ids, as later calls refer to them.
type Node struct {
	url     string
	began   int64 // when the course did, Unix seconds
	results map[int]json.RawMessage
}

// answer is the response to a call.
type answer struct {
	Result json.RawMessage `json:"result"`
	Error  *failure        `json:"error"`
}

type failure struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// Call makes a call with parameters as they are and decodes its result.
func (n *Node) Call(ctx context.Context, result any, method string, params ...any) error {
	answer, err := n.post(ctx, method, params)
	switch {
	case err != nil:
		return err
	case answer.Error != nil:
		return fmt.Errorf("%s: %s", method, answer.Error.Message)
	}
	return json.Unmarshal(answer.Result, result)
}

// client leaves a connection before Node.js closes it, after five seconds without a call.
var client = &http.Client{Transport: &http.Transport{IdleConnTimeout: 2 * time.Second}}

// mostWaited is how long a node may take for an answer.
const mostWaited = 45 * time.Second

func (n *Node) post(ctx context.Context, method string, params any) (*answer, error) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, mostWaited)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, n.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, body)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", body, err)
	}
	a := new(answer)
	if err := json.Unmarshal(text, a); err != nil {
		return nil, fmt.Errorf("%s: %w in %s", body, err, text)
	}
	return a, nil
}

func newNode(url string, began time.Time) *Node {
	return &Node{url: url, began: began.Unix(), results: map[int]json.RawMessage{}}
}
