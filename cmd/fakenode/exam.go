package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/fakenode/fakenode"
)

const (
	// examWait is the time after each move until the back end is asked, for one that looks at the chain now and then.
	examWait = 300 * time.Millisecond
	// examPatience is how long a wrong answer may be corrected.
	examPatience = 5 * time.Second
	// examStart is how long the back end may take to listen, and examTimeout to answer.
	examStart, examTimeout = time.Minute, 10 * time.Second
)

// examine asks the back end of --exam about the payment of each story, move by move, and prints which it passed. The
// error says how many it did not, or why it could not be asked.
func examine(ctx context.Context, node *fakenode.Node, o options, w io.Writer) error {
	marks, err := node.Exam(ctx, fakenode.Exam{Kinds: o.examKinds, Wait: examWait, Patience: examPatience, Ask: func(ctx context.Context, q fakenode.ExamQuestion) (fakenode.ExamAnswer, error) {
		return askBackEnd(ctx, o.exam, q)
	}})
	if err != nil {
		return fmt.Errorf("exam: %w", err)
	}
	fmt.Fprint(w, marks)
	if failed := len(marks.Failed()); failed > 0 {
		return fmt.Errorf("exam: %d of %d stories are failed", failed, len(marks))
	}
	return nil
}

// askBackEnd sends a question and reads the answer: {"payment": "open"}, "paid" or "shipped".
func askBackEnd(ctx context.Context, url string, q fakenode.ExamQuestion) (fakenode.ExamAnswer, error) {
	question, err := json.Marshal(q)
	if err != nil {
		return "", err
	}
	for until := time.Now().Add(examStart); ; {
		answer, err := askOnce(ctx, url, question)
		var refused *net.OpError
		if !errors.As(err, &refused) || refused.Op != "dial" || time.Now().After(until) {
			return answer, err
		}
		select {
		case <-time.After(examWait):
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// sent sends a request and returns the response, with the beginning of its body.
func sent(request *http.Request) (*http.Response, []byte, error) {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 1024))
	return response, body, err
}

func askOnce(ctx context.Context, url string, question []byte) (fakenode.ExamAnswer, error) {
	ctx, cancel := context.WithTimeout(ctx, examTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(question))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/json")
	response, body, err := sent(request)
	if err != nil {
		return "", err
	}
	var answer struct{ Payment fakenode.ExamAnswer }
	if response.StatusCode != http.StatusOK || json.Unmarshal(body, &answer) != nil {
		return "", fmt.Errorf(`%s answered %s: %.200q, want 200 and {"payment": "open"}, "paid" or "shipped"`, url, response.Status, body)
	}
	return answer.Payment, nil
}
