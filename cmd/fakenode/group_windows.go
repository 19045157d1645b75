package main

import (
	"os/exec"
	"syscall"
)

var ownGroup *syscall.SysProcAttr // there are none

func killGroup(command *exec.Cmd) { _ = command.Process.Kill() }
