// Package user has a test that reaches package sample, too.
package user

// Twice returns 2n.
func Twice(n int) int { return n + n }
