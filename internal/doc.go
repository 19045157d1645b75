// Package internal holds the packages of fakenode that no user imports. Those directly below it are part of what users
// run. Those in test are for tests alone: suites that run in several places, and what they are written with. Those in
// tool are programs for the developers of fakenode. A test over the imports keeps them apart.
package internal
