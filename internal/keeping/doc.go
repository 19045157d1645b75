// Package keeping keeps a node and its worlds in a file, and makes them again from it.
//
// Open is its door: it resumes a file, recovers a damaged one, or makes a new one, which Begin gives a node. The File
// that it returns keeps the node's networks from then on, and the worlds that it is given. The file itself is package
// store's; this package knows the parts of a node, but neither the wire nor the node's configuration.
package keeping
