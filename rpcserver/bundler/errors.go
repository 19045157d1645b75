package bundler

import (
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/userop"
	"github.com/fakenode/fakenode/userop/erc7562"
)

// codes are the error codes of ERC-7769, except for Failing and Aggregated: theirs are the codes of other bundlers.
var codes = map[userop.Cause]int{
	userop.Invalid:      api.CodeInvalidParams,
	userop.Rejected:     -32500,
	userop.ByPaymaster:  -32501,
	userop.BreaksRule:   -32502,
	userop.NotInTime:    -32503,
	userop.Aggregated:   -32506,
	userop.BadSignature: -32507,
	userop.LowDeposit:   -32508,
	userop.Failing:      -32521,
}

// toWire returns a userop.Error as clients see it, and any other error unchanged. Nil stays nil.
func toWire(err error) error {
	var refused *userop.Error
	if !errors.As(err, &refused) {
		return err
	}
	wire := api.Errorf(codes[refused.Cause], "%s", refused.Text)
	switch data := refused.Data.(type) {
	case *common.Address:
		wire.Data = payerObject{data}
	case userop.TimeRange:
		wire.Data = timeRangeObject{hexutil.Uint64(data.After), hexutil.Uint64(data.Until), data.Paymaster}
	case erc7562.Violation:
		wire.Data = violationObject{data.Rule, data.Entity, data.Address}
	case userop.RevertData:
		wire.Data = hexutil.Bytes(data)
	}
	return wire
}

// payerObject is the data of an error about a paymaster.
type payerObject struct {
	Paymaster *common.Address `json:"paymaster"`
}

// timeRangeObject is the data of the error of an operation whose time range does not hold the next block.
type timeRangeObject struct {
	ValidAfter hexutil.Uint64  `json:"validAfter"`
	ValidUntil hexutil.Uint64  `json:"validUntil"`
	Paymaster  *common.Address `json:"paymaster,omitempty"`
}

// violationObject is the data of the error of a broken rule.
type violationObject struct {
	Rule    string         `json:"rule"`
	Entity  erc7562.Entity `json:"entity"`
	Address common.Address `json:"address"`
}
