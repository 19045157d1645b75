package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure --exam asks a back end about each story move by move, prints which it passed with the step that fooled it, and
// exits with 1 if there is one.
func TestExam(t *testing.T) {
	t.Parallel()
	var asked []fakenode.ExamQuestion
	eager := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q fakenode.ExamQuestion
		_ = json.NewDecoder(r.Body).Decode(&q)
		asked = append(asked, q)
		_, _ = w.Write([]byte(`{"payment": "shipped"}`))
	}))
	defer eager.Close()
	exam := func(url string, more ...string) (int, string, string) {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), append([]string{"--exam", url, "--seal", "manual", "--port", "0"}, more...), nil, &stdout, &stderr)
		return code, stdout.String(), stderr.String()
	}
	code, table, complaint := exam(eager.URL)
	require.Equal(t, exitError, code)
	require.Equal(t, "fakenode: exam: 15 of 15 stories are failed\n", complaint)
	require.Contains(t, table, "FAILED  LostPreconfirmation, step 1: it says shipped, and no block holds the payment\n        It was sent: the payment waits in the pool.\n")
	require.True(t, strings.HasSuffix(table, "0 of 15 stories passed\n"))
	require.Len(t, asked, 15)
	require.Equal(t, "CaptureReorgedOut", asked[0].Scenario)
	require.NotZero(t, asked[0].Transaction)

	lost := httptest.NewServer(http.NotFoundHandler())
	defer lost.Close()
	code, _, complaint = exam(lost.URL)
	require.Equal(t, exitError, code)
	require.Contains(t, complaint, `exam: CaptureReorgedOut, step 1: `+lost.URL+` answered 404 Not Found: "404 page not found\n", want 200 and {"payment": "open"}, "paid" or "shipped"`)
	code, _, complaint = exam(eager.URL, "--exam-kinds", "subscriptions,weddings")
	require.Equal(t, exitError, code)
	require.Contains(t, complaint, `exam: no scenario is of "weddings": they are of pre-confirmations: `)
	asked = nil
	code, table, _ = exam(eager.URL, "--exam-kinds", "subscriptions,orders")
	require.Equal(t, exitError, code)
	require.Contains(t, table, "PermissionRevoked")
	require.NotContains(t, table, "LostPreconfirmation")
	code, _, complaint = exam("shop:3000")
	require.Equal(t, exitUsage, code)
	require.Contains(t, complaint, `want a URL such as http://127.0.0.1:3000/exam`)
}
