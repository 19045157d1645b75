package paywall

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/holiman/uint256"
)

// Route is an answer that is sold. It is an http.Handler.
type Route struct {
	Scheme      Scheme // what Price asks for
	Description string
	Price       Requirements
	// Serve writes the answer and returns its cost in token units: for Exact the amount, for Upto at most that. Nothing of
	// the answer reaches the client before it is paid.
	Serve func(http.ResponseWriter, *http.Request) *uint256.Int
}

// paymentRequired is the header PAYMENT-REQUIRED.
type paymentRequired struct {
	Version  int            `json:"x402Version"`
	Error    string         `json:"error"`
	Resource resource       `json:"resource"`
	Accepts  []Requirements `json:"accepts"`
}

type resource struct {
	URL         string `json:"url"`
	Description string `json:"description"`
}

// ServeHTTP asks for a payment, or checks the one that the request brings, serves, settles, and only then answers.
func (s Route) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := r.Header.Get("PAYMENT-SIGNATURE")
	if header == "" {
		s.ask(w, r, "payment required")
		return
	}
	var payment Payment
	raw, err := base64.StdEncoding.DecodeString(header)
	if err == nil {
		err = json.Unmarshal(raw, &payment)
	}
	if err != nil {
		http.Error(w, fmt.Sprintf("PAYMENT-SIGNATURE: %v", err), http.StatusBadRequest)
		return
	}
	verified := s.Scheme.Verify(r.Context(), payment, s.Price)
	if !verified.Valid {
		if verified.Corrected != nil {
			s.Price = *verified.Corrected
		}
		s.ask(w, r, cmp.Or(verified.Message, verified.Reason))
		return
	}
	goods := &buffer{header: http.Header{}, status: http.StatusOK}
	total := new(uint256.Int)
	if !verified.NoGoods {
		total = s.Serve(goods, r)
	}
	settled := s.Scheme.Settle(r.Context(), payment, s.Price, total)
	if settled.Reason == SettlementPending { // once more, as x402's servers do
		settled = s.Scheme.Settle(r.Context(), payment, s.Price, total)
	}
	w.Header().Set("PAYMENT-RESPONSE", encode(settled))
	if !settled.Success {
		s.ask(w, r, cmp.Or(settled.Message, settled.Reason))
		return
	}
	for name, values := range goods.header {
		w.Header()[name] = values
	}
	w.WriteHeader(goods.status)
	_, _ = w.Write(goods.body.Bytes()) // the client is gone: it has paid, and asks again
}

func (s Route) ask(w http.ResponseWriter, r *http.Request, why string) {
	required := paymentRequired{2, why, resource{"http://" + r.Host + r.URL.Path, s.Description}, []Requirements{s.Price}}
	w.Header().Set("PAYMENT-REQUIRED", encode(required))
	http.Error(w, why, http.StatusPaymentRequired)
}

func encode(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		panic("paywall: " + err.Error()) // the types are ours
	}
	return base64.StdEncoding.EncodeToString(raw)
}

// buffer holds an answer until it is paid.
type buffer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (b *buffer) Header() http.Header               { return b.header }
func (b *buffer) WriteHeader(status int)            { b.status = status }
func (b *buffer) Write(content []byte) (int, error) { return b.body.Write(content) }
