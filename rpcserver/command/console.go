package command

import (
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/internal/console"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Console serves fakenode_console: the lines that contracts wrote by console.log in a transaction, in order.
func Console(r *api.Request, hash common.Hash) (any, error) {
	found, err := r.Moment().Find(hash)
	if err != nil {
		return nil, err
	}
	if !found.Executed() {
		return nil, api.Errorf(api.CodeServer, "transaction not found: %s is in no sealed or pre-confirmed block", hash)
	}
	lines := []string{}
	for _, data := range found.View.Console(found.Index) {
		lines = append(lines, console.Line(data))
	}
	return lines, nil
}
