package nodetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// Question asks a back end about the payment of a story after a move.
type Question struct {
	Scenario    string `json:"scenario"`
	Step        int    `json:"step"` // counts the moves from 1
	Transaction string `json:"transaction"`
	Contract    string `json:"contract"` // what the payer signed for: the token, or a contract of docs/payments.md
	Payer       string `json:"payer"`
	Nonce       string `json:"nonce"` // the payment's name on the contract
	Merchant    string `json:"merchant"`
	Value       string `json:"value"` // in token units, decimal
	// Order and Capture are for back ends that capture: what the payer owes, and the authorization to capture for it now.
	Order   string   `json:"order"`
	Capture *Capture `json:"capture"`
	// FromBlock asks an indexer for all transfers of the contract from this block on. Nil: the question is another.
	FromBlock *uint64 `json:"fromBlock"`
}

// Capture is an authorization that a back end is handed to capture, with numbers as decimal text.
type Capture struct {
	From        string `json:"from"`
	To          string `json:"to"`
	Value       string `json:"value"`       // in token units
	ValidAfter  string `json:"validAfter"`  // in Unix seconds
	ValidBefore string `json:"validBefore"` // in Unix seconds
	Nonce       string `json:"nonce"`
	// Signature is of TransferWithAuthorization, ReceiveSignature of ReceiveWithAuthorization.
	Signature        string `json:"signature"`
	ReceiveSignature string `json:"receiveSignature"`
}

// Answer is a back end's view of a payment: Open, Paid or Shipped.
type Answer struct {
	Payment string `json:"payment"`
	// Amount has the token units that the back end credits, as decimal or hex text. Empty: it does not say.
	Amount string `json:"amount,omitempty"`
	// Transfers list what an indexer has. Nil: nothing.
	Transfers *[]Transfer `json:"transfers,omitempty"`
}

// Transfer is a transfer of a token as an indexer lists it.
type Transfer struct {
	Transaction string `json:"transaction"`
	BlockHash   string `json:"blockHash"`
	From        string `json:"from"`
	To          string `json:"to"`
	Value       string `json:"value"` // in token units, decimal or hex
}

var (
	// Open is a payment that has not been made, as far as the back end knows.
	Open = Answer{Payment: "open"}
	// Paid is a payment that a sealed block holds. It may be taken back.
	Paid = Answer{Payment: "paid"}
	// Shipped is a payment for which the back end has given what it does not get back.
	Shipped = Answer{Payment: "shipped"}
)

// Result tells how a back end did.
type Result struct {
	Passed bool   // whether nothing fooled it
	Report string // a line for each story, with the step that fooled the back end, or the course of accidents that did
}

// Exam plays stories move by move on a node of its own, whose URL ask gets, and asks after each move what the back end
// says of the payment. The flags are those of fakenode exam: --kinds names the stories' kinds, and a back end that
// looks at the chain now and then needs --wait and --patience, which are 0 here. It takes a second or two. An error of
// ask fails the test, as does a node that does not start; wrong answers are in the result.
func Exam(t testing.TB, ask func(question Question, url string) (Answer, error), flags ...string) Result {
	t.Helper()
	result, failure := examined(t, "exam", ask, flags)
	if failure != nil {
		t.Fatalf("nodetest: the back end failed: %v", failure)
	}
	return result
}

// Explore searches for accidents that fool the back end, as Exam on a node of its own; the report has the shortest
// course of them. The flags are those of fakenode explore, such as --runs=100. An error of ask is no answer.
func Explore(t testing.TB, ask func(question Question, url string) (Answer, error), flags ...string) Result {
	t.Helper()
	result, _ := examined(t, "explore", ask, flags)
	return result
}

// examined runs a command that asks a back end, and returns the first error of ask.
func examined(t testing.TB, command string, ask func(Question, string) (Answer, error), flags []string) (Result, error) {
	t.Helper()
	found, err := program()
	if err != nil {
		t.Fatalf("nodetest: %v", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("nodetest: %v", err)
	}
	asked := &examiner{ask: ask, listens: make(chan struct{})}
	server := &http.Server{Handler: asked}
	go func() { _ = server.Serve(listener) }()
	defer server.Close()

	given := []string{command, "http://" + listener.Addr().String(), "--wait=0s", "--patience=0s"}
	run := exec.CommandContext(t.Context(), found.path, append(given, arguments(flags)...)...)
	input, err := run.StdinPipe()
	if err != nil {
		t.Fatalf("nodetest: %v", err)
	}
	defer input.Close()
	var complaint bytes.Buffer
	run.Stdout, run.Stderr = asked, &complaint
	failed := run.Run()
	_, report, _ := strings.Cut(asked.printed.String(), "\n")
	if code := run.ProcessState.ExitCode(); code != 0 && code != 1 || report == "" {
		t.Fatalf("nodetest: %s: %v\n%s", run, failed, &complaint)
	}
	return Result{failed == nil, report}, asked.failure
}

// examiner answers the questions of an exam and reads what its node prints, the first line of which says where it is.
type examiner struct {
	ask     func(Question, string) (Answer, error)
	listens chan struct{} // closed when url is known

	mu      sync.Mutex
	printed bytes.Buffer
	url     string
	failure error // the first
}

// Write takes what the node prints.
func (e *examiner) Write(text []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.printed.Write(text)
	if line, _, whole := strings.Cut(e.printed.String(), "\n"); whole && e.url == "" {
		e.url = "http://" + strings.TrimPrefix(line, "Listening on ")
		close(e.listens)
	}
	return len(text), nil
}

// ServeHTTP answers a question.
func (e *examiner) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	<-e.listens
	answer, err := e.answer(r.Body)
	if err != nil {
		e.mu.Lock()
		if e.failure == nil {
			e.failure = err
		}
		e.mu.Unlock()
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func (e *examiner) answer(body io.Reader) (Answer, error) {
	var question Question
	if err := json.NewDecoder(body).Decode(&question); err != nil {
		return Answer{}, fmt.Errorf("a question cannot be read: %w", err)
	}
	return e.ask(question, e.url)
}
