package main

import "os/exec"

// inGroup does nothing: the command must be a program that leaves no other behind when it is killed.
func inGroup(*exec.Cmd) {}

func killGroup(*exec.Cmd) error { return nil }
