package api

import "time"

// Worlds are the worlds of a server, for requests to a network of one of them. It is safe for concurrent use.
type Worlds interface {
	// NewWorld makes a copy of the network's world. Without a name it gets a free one; without the id of a snapshot of the
	// network it begins at the present. The error is the reason why the world cannot be made.
	NewWorld(name *string, snapshot *uint64) (World, error)
	// CloseWorld ends a world that NewWorld made. The error reports that there is none of that name.
	CloseWorld(name string) error
	// ListWorlds returns all worlds except the one at /, oldest first.
	ListWorlds() []World
}

// World describes a world.
type World struct {
	Name        string
	Path        string // of its main network
	TestnetPath string // empty: it has no test network
	L1Path      string // empty: its main network has no L1
	Head        uint64 // number of the main network's newest block
	Clients     int    // open WebSocket connections
	Made        time.Time
}
