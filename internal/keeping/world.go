package keeping

import (
	"time"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
)

// World is a world that the file had when it was opened.
type World struct {
	Name          string
	Made          time.Time
	Main, Testnet *preconf.Timeline
}

// worldInFile holds the networks of a world in a file.
type worldInFile struct {
	name          string
	main, testnet *store.Network // nil: it is missing
}

// worldsIn returns the worlds in a file, oldest first.
func worldsIn(s *store.Store) []*worldInFile {
	var worlds []*worldInFile
	byName := make(map[string]*worldInFile)
	for _, n := range s.Copies() {
		w := byName[n.Name().World]
		if w == nil {
			w = &worldInFile{name: n.Name().World}
			worlds, byName[w.name] = append(worlds, w), w
		}
		if n.Name().Network == testNetwork {
			w.testnet = n
		} else {
			w.main = n
		}
	}
	return worlds
}

// whole reports whether the file has both networks of the world.
func (w *worldInFile) whole() bool { return w.main != nil && w.testnet != nil }

// drop removes what the file has of the world.
func (w *worldInFile) drop() {
	for _, n := range []*store.Network{w.main, w.testnet} {
		if n != nil {
			n.Drop()
		}
	}
}
