package world

import (
	"errors"
	"fmt"
)

// ErrNoWorlds is returned by NewWorld if Config.Limit is zero, and after Close.
var ErrNoWorlds = errors.New("worlds are switched off")

// ExistsError is returned by NewWorld for a name that is in use.
type ExistsError struct{ Name string }

func (e *ExistsError) Error() string {
	return fmt.Sprintf("world %s exists already: close it, or choose another name", e.Name)
}

// UnknownError is returned for a name that no world has.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string { return fmt.Sprintf("there is no world %s", e.Name) }

// LimitError is returned by NewWorld when there are as many worlds as Config.Limit allows.
type LimitError struct{ Limit int }

func (e *LimitError) Error() string {
	return fmt.Sprintf("cannot make another world: the limit is %d worlds, close those that are not needed", e.Limit)
}
