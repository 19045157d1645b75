// Package sample has three mutants, of which its test notices two.
package sample

func isEven(n int) bool { return n%2 == 0 }
