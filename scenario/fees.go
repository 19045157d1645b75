package scenario

import (
	"cmp"
	"math/big"

	"github.com/fakenode/fakenode/preconf/control"
)

// feeSpikeWhileCapturing lets the base fee rise above the capture's fee cap, and fall in Params.Times blocks (default
// 3).
func feeSpikeWhileCapturing(s *scene) {
	times := cmp.Or(s.params.Times, 3)
	present, feeCap := s.Timeline.Moment().Pending().Header().BaseFee, s.capture.GasFeeCap()
	top := new(big.Int).Add(feeCap, big.NewInt(1))
	top.Mul(top, big.NewInt(int64(times)))
	if present != nil {
		top.Add(top, present)
	}
	// One step above the present fee it is still above the cap.
	spike := control.Weather{Of: control.OfBaseFee, Shape: control.Spike, To: top, Blocks: times + 1}
	must(s.Timeline.SetWeather(spike))
	s.send()
	for range times {
		s.seal()
	}
	block := s.seal()
	s.settled(block, "The payment happened once, after it had waited in the pool: its fee cap was below the base fee. A capture without a receipt is not lost; who cannot wait replaces it, with the same nonce and a higher fee cap, and sends no second one beside it.")
}
