//go:build race

package laboratory

// Race reports whether the tests run under the race detector.
const Race = true
