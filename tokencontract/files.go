package tokencontract

import "embed"

// Files holds the compiler's results for the token: compiled.json, the interface and the code.
//
//go:embed compiled.json *.abi *.bin
var Files embed.FS
