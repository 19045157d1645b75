package fakenode

import "github.com/fakenode/fakenode/internal/console"

// logConsole writes the lines that contracts wrote by console.log in the transactions of the newest chain to the log of
// the test, if it has one.
func (n *Network) logConsole(t Tester) {
	t.Helper()
	log, ok := t.(interface{ Log(...any) })
	if !ok || n.node.config.Console != nil {
		return
	}
	moment := n.timeline.Moment()
	c := moment.Chain()
	for number := c.Base() + 1; number <= c.Head().Number(); number++ {
		block := c.BlockByNumber(number)
		for i := range block.Count() {
			for _, data := range block.Console(i) {
				log.Log("console.log: " + console.Line(data))
			}
		}
	}
	for _, pending := range moment.PendingBlocks() {
		for i := range pending.Count() {
			for _, data := range pending.Console(i) {
				log.Log("console.log: " + console.Line(data))
			}
		}
	}
}
