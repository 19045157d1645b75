package preconf

import "github.com/fakenode/fakenode/evmstate"

// EditState replaces the state of latest by what f returns for it, and executes the pre-confirmed transactions anew on
// top; a late block is announced first. The state root of the head then no longer matches its header; that of the next
// block does.
func (t *Timeline) EditState(f func(*evmstate.State) *evmstate.State) error {
	return t.remake(func(c *change) error {
		c.endLateness()
		state, err := c.chain.StateAt(c.chain.Head())
		if err != nil {
			return err
		}
		c.chain = c.chain.WithState(f(state).Commit())
		c.edited = true
		return nil
	})
}
