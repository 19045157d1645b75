// Package userop holds user operations (ERC-4337): their encodings and hashes, the EntryPoints that take them, a
// bundler that checks them by the rules of ERC-7562 and sends them, its faults, estimates, and a paymaster that pays
// for them. It knows timelines and no wire: package rpcserver/bundler has the methods.
package userop
