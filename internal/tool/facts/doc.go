// Package facts compares docs/maintainers/facts.md with what nodes answer.
package facts
