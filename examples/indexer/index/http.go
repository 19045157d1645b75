package index

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

const (
	defaultLimit = 100
	maxLimit     = 1_000
	maxWait      = 30 * time.Second // of a request that waits for a change
)

// Every answer describes which state of the index it is of.
type statusDocument struct {
	Version     int64       `json:"version"`
	BlockNumber uint64      `json:"blockNumber"`
	BlockHash   common.Hash `json:"blockHash"`
}

type balanceDocument struct {
	Address common.Address `json:"address"`
	Balance string         `json:"balance"` // token units, decimal
	statusDocument
}

type transfersDocument struct {
	Transfers []transferDocument `json:"transfers"`
	statusDocument
}

type transferDocument struct {
	From        common.Address `json:"from"`
	To          common.Address `json:"to"`
	Value       string         `json:"value"` // token units, decimal
	Transaction common.Hash    `json:"transaction"`
	LogIndex    uint           `json:"logIndex"`
	BlockNumber uint64         `json:"blockNumber"`
	BlockHash   *common.Hash   `json:"blockHash"` // null while pending
	Pending     bool           `json:"pending"`
	Memo        string         `json:"memo,omitempty"`
}

// Handler serves the index over HTTP:
//
//	GET /status                     the newest indexed block; with ?after=VERSION as soon as it is newer, or after 30 s
//	GET /balances/{address}         what an account holds, by sealed blocks
//	GET /transfers?from=&to=&limit= the newest transfers, newest first; those only pre-confirmed have pending: true
func (ix *Indexer) Handler() http.Handler {
	routes := http.NewServeMux()
	routes.HandleFunc("GET /status", ix.serveStatus)
	routes.HandleFunc("GET /balances/{address}", ix.serveBalance)
	routes.HandleFunc("GET /transfers", ix.serveTransfers)
	return routes
}

func (ix *Indexer) serveStatus(w http.ResponseWriter, r *http.Request) {
	after := int64(-1)
	if text := r.URL.Query().Get("after"); text != "" {
		var err error
		if after, err = strconv.ParseInt(text, 10, 64); err != nil {
			refuse(w, http.StatusBadRequest, fmt.Sprintf("after=%q is not a version", text))
			return
		}
	}
	ctx, cancel := context.WithTimeout(r.Context(), maxWait)
	defer cancel()
	status, err := ix.Wait(ctx, after)
	ix.respond(w, r, statusDocument(status), err)
}

func (ix *Indexer) serveBalance(w http.ResponseWriter, r *http.Request) {
	text := r.PathValue("address")
	if !common.IsHexAddress(text) {
		refuse(w, http.StatusBadRequest, fmt.Sprintf("%q is not an address", text))
		return
	}
	account := common.HexToAddress(text)
	balance, status, err := ix.Balance(r.Context(), account)
	ix.respond(w, r, balanceDocument{account, balance.Dec(), statusDocument(status)}, err)
}

func (ix *Indexer) serveTransfers(w http.ResponseWriter, r *http.Request) {
	from, to, limit, err := selection(r.URL.Query())
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	transfers, status, err := ix.Transfers(r.Context(), from, to, limit)
	document := transfersDocument{[]transferDocument{}, statusDocument(status)}
	for _, t := range transfers {
		item := transferDocument{t.From, t.To, t.Value.Dec(), t.Transaction, t.LogIndex, t.BlockNumber, &t.BlockHash, t.Pending(), t.Memo}
		if item.Pending {
			item.BlockHash = nil
		}
		document.Transfers = append(document.Transfers, item)
	}
	ix.respond(w, r, document, err)
}

// selection reads from a request which transfers it asks for.
func selection(query url.Values) (from, to *common.Address, limit int, err error) {
	limit = defaultLimit
	for name, values := range query {
		text := values[0]
		switch name {
		case "from", "to":
			if !common.IsHexAddress(text) {
				return nil, nil, 0, fmt.Errorf("%s=%q is not an address", name, text)
			}
			account := common.HexToAddress(text)
			if name == "from" {
				from = &account
			} else {
				to = &account
			}
		case "limit":
			if limit, err = strconv.Atoi(text); err != nil || limit < 1 || limit > maxLimit {
				return nil, nil, 0, fmt.Errorf("limit=%q is not a number from 1 to %d", text, maxLimit)
			}
		default: // a misspelled one would answer for all accounts
			return nil, nil, 0, fmt.Errorf("unknown parameter %q, known are from, to, limit", name)
		}
	}
	return from, to, limit, nil
}

// respond writes an answer, unless reading it failed: then the chain or the file failed, and the log has the reason.
func (ix *Indexer) respond(w http.ResponseWriter, r *http.Request, answer any, err error) {
	if err != nil {
		if r.Context().Err() == nil {
			ix.log.Error("request failed", "path", r.URL.Path, "error", err)
		}
		refuse(w, http.StatusServiceUnavailable, "unavailable, try again")
		return
	}
	write(w, http.StatusOK, answer)
}

func refuse(w http.ResponseWriter, status int, message string) {
	write(w, status, map[string]string{"error": message})
}

func write(w http.ResponseWriter, status int, answer any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer) // the client may be gone
}
