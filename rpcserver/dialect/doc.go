// Package dialect imitates the development nodes anvil and Hardhat, and nodes of live chains, for servers whose clients
// were written for one of them: the methods that they answer differently, and the texts of their errors.
package dialect
