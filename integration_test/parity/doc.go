// Package parity compares the node with the development nodes and clients it is named after. Random calls and commands
// go to both in the same order, and their answers are compared: hashes by a bijection, times with two seconds of
// tolerance. A difference is shortened to the calls that show it. Table holds the differences that are meant, as rows
// of docs/maintainers/parity.md.
package parity
