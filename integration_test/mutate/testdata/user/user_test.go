package user

import (
	"testing"

	"github.com/fakenode/fakenode/integration_test/mutate/testdata/sample"
)

func TestUser(t *testing.T) {
	if sample.Last(1, 2) != Twice(1) {
		t.Error("2 is the last")
	}
}
