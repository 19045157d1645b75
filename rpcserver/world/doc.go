// Package world holds the worlds of a server: independent pairs of networks, the one at / and copies of it at paths of
// their own. It makes, finds and closes them, and moves their clocks; the server decides how a network is served.
package world
