package preconf

// ArmedFault is a flashblock fault in force, which takes effect later or until ClearFlashblockFaults.
type ArmedFault struct {
	Kind FaultKind
	// Count is how many flashblocks, blocks or transactions the fault still affects, or by how many blocks LagContext
	// lags.
	Count int
}

// ArmedFaults returns the flashblock faults in force, by kind.
func (m *Moment) ArmedFaults() []ArmedFault {
	omitted := 0
	for _, o := range m.faults.omissions {
		omitted += o.last + len(o.hashes)
	}
	var armed []ArmedFault
	for _, fault := range []ArmedFault{
		{OmitTransactions, omitted},
		{AlterLogs, m.faults.alterations + len(m.faults.alter)},
		{StallFlashblocks, m.faults.stalled},
		{LateBlock, m.faults.lateBlocks},
		{LagContext, int(m.faults.lag)},
	} {
		if fault.Count > 0 {
			armed = append(armed, fault)
		}
	}
	return armed
}
