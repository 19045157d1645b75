package checkout

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

const (
	maxBody = 64 << 10         // bytes of a request
	maxWait = 30 * time.Second // of a request that waits for a change
)

// Handler serves the shop over HTTP:
//
//	POST /orders                     {payer, amount, path?, validSeconds?, periodSeconds?, price?}
//	                                                                 draft: the order and what to sign, or to send
//	GET  /orders/{id}                the order; with ?after=VERSION as soon as it is newer, or after 30 s
//	POST /orders/{id}/authorization  {authorization, signature, permit?}
//	                                                                 store the payer's signature
//	GET  /orders/{id}/requests       the typed data of the next request's voucher
//	POST /orders/{id}/requests       {total, voucher}                serve one request more
//	POST /orders/{id}/capture        {part?, amount?}                capture it, or a part
//	POST /orders/{id}/void           never submit it
//	GET  /orders/{id}/cancellation   the typed data that cancels it on-chain
//	POST /orders/{id}/cancellation   {signature}                     relay the payer's cancellation
//
// It does not authenticate: draft, authorization, cancellation and show are for payers, the rest for the merchant.
func (s *Shop) Handler() http.Handler {
	routes := http.NewServeMux()
	for pattern, handle := range map[string]func(*http.Request) (any, error){
		"POST /orders":                    s.handleDraft,
		"GET /orders/{id}":                s.handleShow,
		"POST /orders/{id}/authorization": s.handleAuthorization,
		"GET /orders/{id}/requests":       s.handleVoucher,
		"POST /orders/{id}/requests":      s.handleRequest,
		"POST /orders/{id}/capture":       s.handleCapture,
		"POST /orders/{id}/void":          s.handleVoid,
		"GET /orders/{id}/cancellation":   s.handleCancellation,
		"POST /orders/{id}/cancellation":  s.handleCancel,
	} {
		routes.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			r.Body = http.MaxBytesReader(w, r.Body, maxBody)
			answer, err := handle(r)
			s.respond(w, r, answer, err)
		})
	}
	return http.NewCrossOriginProtection().Handler(routes)
}

func (s *Shop) handleDraft(r *http.Request) (any, error) {
	var request struct {
		Path          Path           `json:"path"` // empty: fixed
		Payer         common.Address `json:"payer"`
		Amount        string         `json:"amount"`       // decimal, as "25.00"
		ValidSeconds  uint32         `json:"validSeconds"` // 0: 15 minutes; of a subscription a year
		PeriodSeconds uint32         `json:"periodSeconds"`
		Price         string         `json:"price"` // of each request, decimal
	}
	if err := decode(r, &request); err != nil {
		return nil, err
	}
	o, err := s.Draft(r.Context(), Sale{
		Path: request.Path, Payer: request.Payer, Amount: request.Amount,
		Within: time.Duration(request.ValidSeconds) * time.Second, Period: time.Duration(request.PeriodSeconds) * time.Second,
		Price: request.Price,
	})
	if err != nil {
		return nil, err
	}
	return draftDocument{newOrderDocument(o), s.payment(o).toSign(o)}, nil
}

func (s *Shop) handleShow(r *http.Request) (any, error) {
	after := r.URL.Query().Get("after")
	if after == "" {
		return document(s.Show(r.Context(), r.PathValue("id")))
	}
	version, err := strconv.ParseInt(after, 10, 64)
	if err != nil {
		return nil, problem(Invalid, "after=%q is not a version", after)
	}
	ctx, cancel := context.WithTimeout(r.Context(), maxWait)
	defer cancel()
	return document(s.Wait(ctx, r.PathValue("id"), version))
}

func (s *Shop) handleAuthorization(r *http.Request) (any, error) {
	var request struct {
		Authorization authorizationDocument `json:"authorization"`
		Signed
	}
	if err := decode(r, &request); err != nil {
		return nil, err
	}
	given, err := request.Authorization.terms()
	if err != nil {
		return nil, err
	}
	return document(s.Accept(r.Context(), r.PathValue("id"), given, request.Signed))
}

func (s *Shop) handleVoucher(r *http.Request) (any, error) {
	o, err := s.Show(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	if o.Path != Requests {
		return nil, hasNoRequests(o)
	}
	return draftDocument{newOrderDocument(o), ToSign{Voucher: s.payment(o).toSign(o).Voucher}}, nil
}

func (s *Shop) handleRequest(r *http.Request) (any, error) {
	var request struct {
		Total   string     `json:"total"` // decimal
		Voucher Credential `json:"voucher"`
	}
	if err := decode(r, &request); err != nil {
		return nil, err
	}
	total, err := parseAmount(request.Total)
	if err != nil {
		return nil, problem(Invalid, "total: %v", err)
	}
	return document(s.Serve(r.Context(), r.PathValue("id"), total, request.Voucher))
}

func (s *Shop) handleCapture(r *http.Request) (any, error) {
	var request struct {
		Part   int    `json:"part"`   // 0: 1
		Amount string `json:"amount"` // empty: the order's
	}
	part := Part{}
	if r.ContentLength != 0 {
		if err := decode(r, &request); err != nil {
			return nil, err
		}
		part.Number = request.Part
	}
	if request.Amount != "" {
		amount, err := parseAmount(request.Amount)
		if err != nil {
			return nil, problem(Invalid, "%v", err)
		}
		part.Amount = amount
	}
	if part.Number < 0 {
		return nil, problem(Invalid, "part %d is negative", part.Number)
	}
	return document(s.Capture(r.Context(), r.PathValue("id"), part))
}

func (s *Shop) handleVoid(r *http.Request) (any, error) {
	return document(s.Void(r.Context(), r.PathValue("id")))
}

func (s *Shop) handleCancellation(r *http.Request) (any, error) {
	o, err := s.Show(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	if o.Path != Fixed {
		return nil, o.cancelable()
	}
	return draftDocument{newOrderDocument(o), ToSign{TypedData: s.CancelTypedData(o)}}, nil
}

func (s *Shop) handleCancel(r *http.Request) (any, error) {
	var request struct {
		Signature Credential `json:"signature"`
	}
	if err := decode(r, &request); err != nil {
		return nil, err
	}
	return document(s.Cancel(r.Context(), r.PathValue("id"), request.Signature))
}

// decode reads a request's body; unknown fields are rejected.
func decode(r *http.Request, into any) error {
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return problem(Invalid, "request: %v", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return problem(Invalid, "request: something follows the JSON object")
	}
	return nil
}

// statuses are the HTTP statuses of problems.
var statuses = map[Code]int{
	Invalid:     http.StatusBadRequest,
	NotFound:    http.StatusNotFound,
	Conflict:    http.StatusConflict,
	Mismatch:    http.StatusUnprocessableEntity,
	Unsigned:    http.StatusUnprocessableEntity,
	TooEarly:    http.StatusConflict,
	Expired:     http.StatusConflict,
	NonceUsed:   http.StatusConflict,
	Balance:     http.StatusPaymentRequired,
	TokenRefuse: http.StatusConflict,
	Costly:      http.StatusConflict,
	Unavailable: http.StatusServiceUnavailable,
}

// respond writes an answer, or the problem in its place. An error that is no Problem is the shop's own fault and only
// logged.
func (s *Shop) respond(w http.ResponseWriter, r *http.Request, answer any, err error) {
	status := http.StatusOK
	if err != nil {
		var p *Problem
		if !errors.As(err, &p) {
			p = problem("internal", "internal error")
		}
		var known bool
		if status, known = statuses[p.Code]; !known {
			status = http.StatusInternalServerError
		}
		if status >= http.StatusInternalServerError && r.Context().Err() == nil {
			s.log.Error("request failed", "method", r.Method, "path", r.URL.Path, "error", err)
		}
		answer = map[string]any{"error": map[string]any{"code": p.Code, "message": p.Message}}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer) // the client may be gone
}
