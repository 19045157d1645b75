package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/fakenode/fakenode"
)

// examStart is how long the back end may take to listen, and examTimeout to answer.
const examStart, examTimeout = time.Minute, 10 * time.Second

// examination is "fakenode exam".
type examination struct {
	fakenode.Exam
	start string
}

func (e *examination) flags(f *flag.FlagSet) {
	*e = examination{Exam: fakenode.Exam{Wait: 300 * time.Millisecond, Patience: 5 * time.Second}}
	f.Func("kinds", "what the stories are about, with commas (default pre-confirmations,reorgs,nodes that are behind,decoys)", func(s string) error {
		for kind := range strings.SplitSeq(s, ",") {
			e.Kinds = append(e.Kinds, fakenode.ScenarioKind(kind))
		}
		return e.Check()
	})
	f.StringVar(&e.start, "start", "", "`command` that starts the back end, with the node's URL in FAKENODE_URL; it is started again while a capture is under way")
	f.Func("wait", "how long after each move the back end is asked, for one that looks at the chain now and then (default 300ms)", setDuration(&e.Wait, true))
	f.Func("patience", "how long a wrong answer that can be taken back may be corrected: more than the time between two looks at the chain (default 5s)", setDuration(&e.Patience, true))
}

// run serves a node, asks the back end about the payment of each story, move by move, and prints which it passed.
// The error says how many stories are failed, or why there is no exam.
func (e *examination) run(ctx context.Context, in *invocation) error {
	if err := checkURL(in.given, "http://127.0.0.1:3000/exam"); err != nil {
		return usageError{fmt.Errorf("exam %s: %w", in.given, err)}
	}
	return serveFor(ctx, in, func(ctx context.Context, node *fakenode.Node) error {
		ctx, e.Ask = listening(ctx, in.given)
		stop := func() {}
		if e.start != "" {
			e.Restart = func(context.Context) (err error) {
				stop()
				stop, err = startBackEnd(ctx, in, e.start, node.URL())
				return err
			}
			if err := e.Restart(ctx); err != nil {
				return usageError{err}
			}
			defer func() { stop() }()
		} else if err := awaitBackEnd(ctx, in.given); err != nil {
			return usageError{err}
		}
		marks, err := node.Exam(ctx, e.Exam)
		if err != nil {
			return usageError{err}
		}
		fmt.Fprint(in.stdout, marks)
		switch failed, played := len(marks.Failed()), len(marks.Played()); {
		case played == 0:
			return errors.New("no story can be played on this chain")
		case failed > 0:
			return fmt.Errorf("%d of %d stories are failed", failed, played)
		}
		return nil
	})
}

// checkURL returns an error unless something can be asked at the URL.
func checkURL(s, example string) error {
	if u, err := url.Parse(s); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return errors.New("want a URL such as " + example)
	}
	return nil
}

// awaitBackEnd waits until something listens at a URL.
func awaitBackEnd(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, examStart)
	defer cancel()
	for {
		err := listens(ctx, address)
		if err == nil {
			return nil
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("nothing listens at %s: %w", address, err)
		}
	}
}

// listening returns a BackEnd at a URL, and a context that ends when nothing listens there any more: then
// what the back end failed says nothing.
func listening(ctx context.Context, url string) (context.Context, fakenode.BackEnd) {
	ctx, end := context.WithCancelCause(ctx)
	ask := backEnd(url)
	return ctx, func(asked context.Context, question fakenode.ExamQuestion) (fakenode.ExamAnswer, error) {
		answer, err := ask(asked, question)
		if err != nil {
			if gone := listens(ctx, url); gone != nil {
				end(fmt.Errorf("the back end has ended: nothing listens at %s: %w", url, gone))
			}
		}
		return answer, err
	}
}

// listens returns an error unless something listens at a URL that checkURL has passed.
func listens(ctx context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	port := cmp.Or(u.Port(), u.Scheme) // net knows both schemes by name
	connection, err := new(net.Dialer).DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return err
	}
	return connection.Close()
}

// asking asks back ends. What is moved elsewhere is an answer like any other.
var asking = http.Client{Timeout: examTimeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// backEnd asks the back end at a URL: it sends the question as JSON and reads the answer, such as {"payment": "open"}.
func backEnd(url string) fakenode.BackEnd {
	return func(ctx context.Context, question fakenode.ExamQuestion) (answer fakenode.ExamAnswer, err error) {
		body, err := json.Marshal(question)
		if err != nil {
			return answer, err
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
		if err != nil {
			return answer, err
		}
		request.Header.Set("Content-Type", "application/json")
		response, body, err := sent(&asking, request)
		if err != nil {
			return answer, err
		}
		if err := json.Unmarshal(body, &answer); response.StatusCode != http.StatusOK || err != nil {
			return answer, fmt.Errorf(`%s answered %s: %.200q, want 200 and {"payment": "open"}, "paid" or "shipped"`, url, response.Status, body)
		}
		return answer, nil
	}
}

// sent sends a request and returns the response, with the beginning of its body.
func sent(client *http.Client, request *http.Request) (*http.Response, []byte, error) {
	response, err := client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	return response, body, err
}
