// Package artifacts reads compiled contracts as Foundry (out/) and Hardhat (artifacts/) write them, and says by their
// ABIs what calls, logs and the data of reverts mean. A Set recognises a contract by its deployed code.
package artifacts
