// Package user has a test that reaches package sample.
package user
