package api

import (
	"fmt"
	"io"
	"sync"
)

// Story is the scenario that a network is told move by move. The zero value is none. Safe for concurrent use.
type Story struct {
	mu   sync.Mutex
	id   uint64 // from 1
	told io.Closer
}

// Begin closes the story before, and returns the id of the one that begins.
func (s *Story) Begin(story io.Closer) (id uint64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.told != nil {
		err = s.told.Close()
	}
	s.id++
	s.told = story
	return s.id, err
}

// Get returns the story with an id. The error names the one that is told.
func (s *Story) Get(id uint64) (io.Closer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.told == nil || id != s.id {
		return nil, fmt.Errorf("no scenario with the id %d is told: the last that began has %d", id, s.id)
	}
	return s.told, nil
}

// Close closes the story that is told.
func (s *Story) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.told == nil {
		return nil
	}
	told := s.told
	s.told = nil
	return told.Close()
}
