// Package world holds the worlds of a server: independent pairs of networks, the one at / and copies of it at paths of
// their own. It makes, finds, closes and paces them; the server that it belongs to says how a network is served.
package world
