package tokencontract

import (
	_ "embed"
	"encoding/json"
	"sync"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

var (
	//go:embed token.json
	tokenJSON []byte
	//go:embed documented_flow.json
	documentedFlowJSON []byte
)

// artifact holds the part of a compiled contract that is needed at run time.
type artifact struct {
	Bytecode         hexutil.Bytes `json:"bytecode"`
	DeployedBytecode hexutil.Bytes `json:"deployedBytecode"`
}

var (
	strictArtifact         = sync.OnceValue(func() artifact { return parseArtifact(tokenJSON) })
	documentedFlowArtifact = sync.OnceValue(func() artifact { return parseArtifact(documentedFlowJSON) })
)

func (v Variant) artifact() artifact {
	if v == DocumentedFlow {
		return documentedFlowArtifact()
	}
	return strictArtifact()
}

func parseArtifact(file []byte) artifact {
	var a artifact
	if err := json.Unmarshal(file, &a); err != nil {
		panic("tokencontract: embedded artifact: " + err.Error()) // the build would be broken
	}
	return a
}
