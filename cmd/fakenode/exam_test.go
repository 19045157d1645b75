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

// Ensure fakenode exam asks a back end about each story move by move, prints which it passed with the step that fooled
// it, and exits with 1 if there is one; that it follows no redirect; and that flags stand on either side of the URL.
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
		code := run(t.Context(), append([]string{"exam", "--seal", "manual", url, "--port", "0", "--wait", "0s", "--patience", "0s"}, more...), nil, &stdout, &stderr)
		return code, stdout.String(), stderr.String()
	}
	code, table, complaint := exam(eager.URL)
	require.Equal(t, exitError, code)
	require.Equal(t, "fakenode: exam: 18 of 18 stories are failed\n", complaint)
	require.Contains(t, table, "FAILED  LostPreconfirmation, step 1: it says shipped, and no block holds the payment\n        It was sent: the payment waits in the pool.\n")
	require.True(t, strings.HasSuffix(table, "0 of 18 stories passed\n"))
	require.Len(t, asked, 18)
	require.Equal(t, "CaptureReorgedOut", asked[0].Scenario)
	require.NotZero(t, asked[0].Transaction)

	moved := httptest.NewServer(http.RedirectHandler(eager.URL, http.StatusTemporaryRedirect))
	defer moved.Close()
	code, table, _ = exam(moved.URL)
	require.Equal(t, exitError, code)
	require.Contains(t, table, `FAILED  CaptureReorgedOut, step 1: `+moved.URL+` answered 307 Temporary Redirect: "", want 200 and {"payment": "open"}, "paid" or "shipped"`)
	require.Contains(t, table, "0 of 18 stories passed\n")
	require.Len(t, asked, 18)
	code, table, complaint = exam(eager.URL, "--kinds", "subscriptions,weddings")
	require.Equal(t, exitUsage, code)
	require.Empty(t, table)
	require.Contains(t, complaint, `no story of an exam is of "weddings": they are of pre-confirmations; `)
	code, table, _ = exam(eager.URL, "--kinds", "subscriptions,orders")
	require.Equal(t, exitError, code)
	require.Contains(t, table, "PermissionRevoked")
	require.NotContains(t, table, "LostPreconfirmation")
	code, _, complaint = exam(eager.URL, "--start", "false")
	require.Equal(t, exitUsage, code)
	require.Equal(t, "fakenode: exam: --start false: something listens at "+eager.URL+" before it is started\n", complaint)
	code, _, complaint = exam(eager.URL, "--preset", "base", "--contracts", "none", "--kinds", "channels")
	require.Equal(t, exitError, code)
	require.Equal(t, "fakenode: exam: no story can be played on this chain\n", complaint)
}
