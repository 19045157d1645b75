package sample

import "testing"

func TestIsEven(t *testing.T) {
	if !IsEven(0) {
		t.Error("0 is even")
	}
}
