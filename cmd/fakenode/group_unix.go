//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// inGroup lets a command begin a group of processes, all of which killGroup ends.
func inGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return killGroup(command) }
}

// killGroup ends what is left of the processes of a command, such as the server that npm started.
func killGroup(command *exec.Cmd) error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
