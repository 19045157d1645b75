//go:build !race

package laboratory

const race = false
