package paywall

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"

	"github.com/ethereum/go-ethereum/common"
)

// maxBody is the size of the largest request read, in bytes.
const maxBody = 64 << 10

// request is the body of /verify and /settle.
type request struct {
	Payment      Payment      `json:"paymentPayload"`
	Requirements Requirements `json:"paymentRequirements"`
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
		var kinds []kind
		for _, name := range slices.Sorted(maps.Keys(f.schemes)) {
			kinds = append(kinds, kind{2, name, f.Network(), f.schemes[name].Extra()})
		}
		answer(w, map[string]any{
			"kinds": kinds, "extensions": []string{PermitSponsoring, ApprovalSponsoring},
			"signers": map[string][]common.Address{"eip155:*": {f.Address()}},
		})
	})
	mux.HandleFunc("POST /verify", func(w http.ResponseWriter, r *http.Request) {
		if body, ok := read(w, r); ok {
			answer(w, f.Scheme(body.Requirements.Scheme).Verify(r.Context(), body.Payment, body.Requirements))
		}
	})
	// The requirements' amount is settled: for Upto a total that may be below what the payer signed.
	mux.HandleFunc("POST /settle", func(w http.ResponseWriter, r *http.Request) {
		if body, ok := read(w, r); ok {
			answer(w, f.Scheme(body.Requirements.Scheme).Settle(r.Context(), body.Payment, body.Requirements, body.Requirements.Amount))
		}
	})
	return mux
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
