// Package sample has mutants that its test notices, one that only the test of package user does, and others.
package sample

// IsEven reports whether n is even.
func IsEven(n int) bool { return n%2 == 0 }

// Last returns the last of some numbers.
func Last(numbers ...int) int { return numbers[len(numbers)-1] }

// Limit is the number that Count counts to.
const Limit = 3

// Count returns Limit.
func Count() (n int) {
	for n < Limit {
		n++
	}
	return n
}

// Greet has a mutant that does not compile.
func Greet(name string) string { return "hello " + name }
