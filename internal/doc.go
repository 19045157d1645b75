// Package internal holds the packages of fakenode that no user imports. The packages directly below it are part of the
// programs that users run. The packages in test are for tests alone: suites that run in several places, and their
// helpers. The packages in tool are programs for the developers of fakenode. A test over the imports keeps them apart.
package internal
