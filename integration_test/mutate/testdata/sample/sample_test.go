package sample

import "testing"

func TestIsEven(t *testing.T) {
	if !IsEven(0) {
		t.Error("0 is even")
	}
}

func TestCount(t *testing.T) {
	if Count() != 3 {
		t.Error("the limit is 3")
	}
}
