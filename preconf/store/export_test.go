package store

import "errors"

// OpenByHand opens a file as Open does, but nothing is written before Write.
func OpenByHand(path string) (*Store, error) {
	s := newStore(path, Options{})
	read, err := s.read()
	if err == nil {
		err = s.openToWrite()
	}
	if err == nil {
		err = s.begin(read)
	}
	return s, err
}

// Write writes what is new in one transaction, as the writer does.
func (s *Store) Write() error {
	networks, _ := s.takeUnwritten(true)
	return s.write(networks, false)
}

// CloseByHand closes a file that OpenByHand opened.
func (s *Store) CloseByHand() error { return errors.Join(s.db.Sync(), s.db.Close()) }

// Newest returns the number of the newest block that a salvaged network has, and false if the network has none at all.
// The State of that block may still turn out to be damaged; then Load returns less.
func (n *Network) Newest() (number uint64, ok bool) {
	if n.origin == nil {
		return 0, false
	}
	if block := n.block(n.now.Head); block != nil {
		return block.Number(), true
	}
	if n.origin.Fork != nil {
		return n.origin.Fork.Number, true
	}
	return 0, true
}
