// Package artifacts reads compiled contracts as Foundry (out/) and Hardhat (artifacts/) write them, encodes what
// deploys them, and decodes calls, logs and the data of reverts by their ABIs. A Set recognises a contract by its
// deployed code.
package artifacts
