// Package assembly makes a node: the genesis of each network, its chain, and the timelines on them.
//
// Spec describes a node, with nothing left to decide, and Build is the door. A node that is kept in a file comes from
// there, by package keeping.
package assembly
