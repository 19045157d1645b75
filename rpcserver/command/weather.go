package command

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// weatherParams is a Weather as fakenode_weather takes it.
type weatherParams struct {
	api.ControlObject `wanted:"{of, shape, from?, to, blocks, times?}, {of, shape: \"list\", values, times?} or {of, shape: \"calm\"}"`

	Of     control.Quantity `json:"of"`
	Shape  control.Shape    `json:"shape"`
	From   *amount          `json:"from"`
	To     *amount          `json:"to"`
	Blocks count            `json:"blocks"`
	Values []amount         `json:"values"`
	Times  *strikes         `json:"times"`
}

// weather returns it as a preconf.Weather.
func (p *weatherParams) weather() control.Weather {
	w := control.Weather{Of: p.Of, Shape: p.Shape, From: p.From.word().ToBig(), To: p.To.word().ToBig(), Blocks: int(p.Blocks)}
	for i := range p.Values {
		w.Values = append(w.Values, p.Values[i].ToBig())
	}
	if p.Times != nil {
		w.Times = int(*p.Times)
	}
	return w
}

// forecast is a Weather in force. Values are in wei or gas, by its quantity.
type forecast struct {
	Of         control.Quantity `json:"of"`
	Shape      control.Shape    `json:"shape"`
	From       *hexutil.Big     `json:"from,omitempty"`
	To         *hexutil.Big     `json:"to,omitempty"`
	Values     []*hexutil.Big   `json:"values,omitempty"`
	Blocks     int              `json:"blocks"`
	FirstBlock uint64           `json:"firstBlock"`
	LastBlock  *uint64          `json:"lastBlock"` // null: it goes on
}

// Weather serves fakenode_weather: it lets a price or limit take a course, and lists the courses in force.
func Weather(r *api.Request, p *weatherParams) (any, error) {
	if p != nil {
		if err := r.Network.Timeline.Set(preconf.Weather(p.weather())); err != nil {
			return nil, r.BadInput(err)
		}
	}
	list := []forecast{}
	for _, w := range r.Moment().Weather() {
		f := forecast{
			Of: w.Of, Shape: w.Shape, From: (*hexutil.Big)(w.From), To: (*hexutil.Big)(w.To), Blocks: w.Blocks,
			FirstBlock: w.First, LastBlock: w.Last,
		}
		for _, value := range w.Values {
			f.Values = append(f.Values, (*hexutil.Big)(new(big.Int).Set(value)))
		}
		list = append(list, f)
	}
	return list, nil
}
