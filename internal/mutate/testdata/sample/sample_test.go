package sample

import "testing"

func TestIsEven(t *testing.T) {
	if !isEven(0) {
		t.Error("0 is even")
	}
}
