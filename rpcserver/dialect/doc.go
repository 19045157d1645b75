// Package dialect imitates the development nodes anvil and Hardhat, for servers whose clients were written for one of
// them: the methods that they answer otherwise, and the words of their errors.
package dialect
