package tokencontract

import "embed"

// Files holds what the compiler made of the token: compiled.json, the interface and the code.
//
//go:embed compiled.json *.abi *.bin
var Files embed.FS
