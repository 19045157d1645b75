package paywall

import (
	"encoding/json"
	"net/http"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// maxBody is the size of the largest request read, in bytes.
const maxBody = 64 << 10

// request is the body of /verify and /settle.
type request struct {
	Payment      Payment      `json:"paymentPayload"`
	Requirements Requirements `json:"paymentRequirements"`
}

// verification is the answer of /verify.
type verification struct {
	Valid   bool           `json:"isValid"`
	Reason  string         `json:"invalidReason,omitempty"`
	Message string         `json:"invalidMessage,omitempty"`
	Payer   common.Address `json:"payer"`
}

// Settled is the answer of /settle, and of a paid route in the header PAYMENT-RESPONSE.
type Settled struct {
	Success     bool           `json:"success"`
	Reason      string         `json:"errorReason,omitempty"`
	Message     string         `json:"errorMessage,omitempty"`
	Transaction string         `json:"transaction"`
	Network     string         `json:"network"`
	Payer       common.Address `json:"payer"`
	Amount      *uint256.Int   `json:"amount,omitempty"`
}

// kind is something a facilitator settles.
type kind struct {
	Version int    `json:"x402Version"`
	Scheme  string `json:"scheme"`
	Network string `json:"network"`
	Extra   *Extra `json:"extra,omitempty"`
}

// ServeMux serves the facilitator to shops elsewhere: GET /supported, POST /verify and POST /settle.
func (f *Facilitator) ServeMux() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /supported", func(w http.ResponseWriter, _ *http.Request) {
		settles := f.Address()
		answer(w, map[string]any{
			"kinds": []kind{
				{2, Exact, f.Network(), nil},
				{2, Upto, f.Network(), &Extra{FacilitatorAddress: &settles}},
			},
			"extensions": []string{}, "signers": map[string][]common.Address{"eip155:*": {settles}},
		})
	})
	mux.HandleFunc("POST /verify", func(w http.ResponseWriter, r *http.Request) {
		if body, ok := read(w, r); ok {
			v := verification{Valid: true}
			var err error
			if v.Payer, err = f.Verify(r.Context(), body.Payment, body.Requirements); err != nil {
				v = verification{Reason: "payment_refused", Message: err.Error()}
			}
			answer(w, v)
		}
	})
	// The requirements' amount is settled: for Upto a total that may be below what the payer signed.
	mux.HandleFunc("POST /settle", func(w http.ResponseWriter, r *http.Request) {
		if body, ok := read(w, r); ok {
			total := body.Requirements.Amount
			if body.Requirements.Scheme == Upto {
				body.Requirements.Amount = body.Payment.Accepted.Amount
			}
			answer(w, f.settled(r, body.Payment, body.Requirements, total))
		}
	})
	return mux
}

// settled settles a payment and describes the outcome.
func (f *Facilitator) settled(r *http.Request, p Payment, required Requirements, total *uint256.Int) Settled {
	payer, transaction, err := f.Settle(r.Context(), p, required, total)
	s := Settled{Success: err == nil, Network: f.Network(), Payer: payer, Amount: total}
	if transaction != (common.Hash{}) {
		s.Transaction = transaction.Hex()
	}
	if err != nil {
		s.Reason, s.Message = "settlement_failed", err.Error()
	}
	return s
}

func read(w http.ResponseWriter, r *http.Request) (body request, ok bool) {
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return body, false
	}
	if body.Requirements.Amount == nil {
		http.Error(w, "paymentRequirements: amount is missing", http.StatusBadRequest)
		return body, false
	}
	return body, true
}

func answer(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value) // the client is gone: nobody reads the answer
}
