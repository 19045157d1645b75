package preconf

import "strconv"

var eventKindNames = [...]string{
	FlashblockAdded: "FlashblockAdded", HeadAdded: "HeadAdded", LogsAdded: "LogsAdded",
	LogsRemoved: "LogsRemoved", LogsRetracted: "LogsRetracted", TransactionPooled: "TransactionPooled",
	FlashblockDisturbed: "FlashblockDisturbed",
}

// String returns the kind's name in Go.
func (k EventKind) String() string {
	if k < 0 || int(k) >= len(eventKindNames) {
		return "EventKind(" + strconv.Itoa(int(k)) + ")"
	}
	return eventKindNames[k]
}
