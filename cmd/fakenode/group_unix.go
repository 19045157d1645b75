//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// ownGroup lets a command begin a group of processes.
var ownGroup = &syscall.SysProcAttr{Setpgid: true}

// killGroup ends the processes of a command's group, such as the server that npm started.
func killGroup(command *exec.Cmd) { _ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
