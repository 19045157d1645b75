// Package door holds the tests of package fakenode that need no file of the repository's top folder.
package door
