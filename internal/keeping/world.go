package keeping

import (
	"slices"
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
	name              string
	main, testnet, l1 *store.Network // nil: it is missing
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
		switch n.Name().Network {
		case testNetwork:
			w.testnet = n
		case l1Network:
			w.l1 = n
		default:
			w.main = n
		}
	}
	return worlds
}

// whole reports whether the file has all networks of the world; l1 reports whether an L1 is one of them.
func (w *worldInFile) whole(l1 bool) bool {
	return w.main != nil && w.testnet != nil && (w.l1 != nil) == l1
}

// networks returns the networks of the world that are in the file.
func (w *worldInFile) networks() []*store.Network {
	return slices.DeleteFunc([]*store.Network{w.main, w.testnet, w.l1}, func(n *store.Network) bool { return n == nil })
}

func (w *worldInFile) drop() {
	for _, n := range w.networks() {
		n.Drop()
	}
}
