// Package probe asks a node of each row about sixty questions over the wire, and compares the answers with a file: what
// a node of that name does is a fact that no change of the code beneath may touch.
package probe
