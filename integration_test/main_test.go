package integration_test

import (
	"os"
	"testing"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

func TestMain(m *testing.M) {
	code := m.Run()
	laboratory.Report(os.Stdout)
	os.Exit(code)
}
