// Package sample has mutants that its test notices, one that only the test of package user does, and others.
package sample

// IsEven reports whether n is even.
func IsEven(n int) bool { return n%2 == 0 }

// Last returns the last of some numbers.
func Last(numbers ...int) int { return numbers[len(numbers)-1] }
