// Package cache keeps what tests of the laboratory fetch and install, such as packages from npm, in the user's cache
// directory: once for all test processes and checkouts.
package cache

import (
	"os"
	"path/filepath"
	"sync"
)

// filling holds a *sync.Mutex for each folder, so that a process fills it once.
var filling sync.Map

// Folder returns the path of a folder of the cache. Where there is none yet, fill fills an empty folder that takes its
// place once it is whole, so that others never see half of it. The name says all that the content depends on.
func Folder(name string, fill func(folder string) error) (string, error) {
	lock, _ := filling.LoadOrStore(name, new(sync.Mutex))
	lock.(*sync.Mutex).Lock()
	defer lock.(*sync.Mutex).Unlock()
	root, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(root, "fakenode", name)
	if filled(folder) {
		return folder, nil
	}
	if err := os.MkdirAll(filepath.Dir(folder), 0o700); err != nil {
		return "", err
	}
	stage, err := os.MkdirTemp(filepath.Dir(folder), ".filling-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(stage)
	if err := fill(stage); err != nil {
		return "", err
	}
	if err := os.Rename(stage, folder); err != nil && !filled(folder) { // another process may have been faster
		return "", err
	}
	return folder, nil
}

func filled(folder string) bool {
	_, err := os.Stat(folder)
	return err == nil
}
