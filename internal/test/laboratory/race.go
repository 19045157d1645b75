//go:build race

package laboratory

const race = true
