package shape

import "github.com/fakenode/fakenode/preconf"

// BlockTime is the time of a block in Unix milliseconds, on chains whose blocks have one. The zero value means none;
// objects then lack the member.
type BlockTime struct {
	ms    uint64
	known bool
}

// TimeOf returns the time of a View, which must be loaded; nil has none.
func TimeOf(v *preconf.View) BlockTime {
	if v == nil {
		return BlockTime{}
	}
	ms, known := v.Milliseconds()
	return BlockTime{ms, known}
}

// member writes the time.
func (t BlockTime) member(o *Object, name string) {
	if t.known {
		o.Quantity(name, t.ms)
	}
}
