package main

import (
	"context"
	"embed"
	"flag"
	"fmt"
	"strings"
	"text/template"
)

// shells lists the shells that have a script.
var shells = []string{"bash", "fish", "zsh"}

// shellScripts has a template for each of shells, by its name.
//
//go:embed completion
var shellScripts embed.FS

// completed is a flag as the scripts have it.
type completed struct {
	Name, About, Values string // Values: with spaces between them, none if it may have any
	IsBool, IsPath      bool
}

// complete writes the script that completes commands and flags in one of shells, to be evaluated by its start-up file.
func complete(_ context.Context, in *invocation) error {
	if err := oneOf(in.given, shells...); err != nil {
		return usageError{fmt.Errorf("completion: %w", err)}
	}
	var script struct {
		Commands []string
		Flags    []completed
	}
	for _, c := range otherCommands() {
		script.Commands = append(script.Commands, c.name)
	}
	flags := serving().flagSet(new(options))
	new(forkOptions).flags(flags)
	new(exploration).flags(flags)
	flags.VisitAll(func(f *flag.Flag) {
		_, about := flag.UnquoteUsage(f)
		about = strings.NewReplacer("'", "", "[", "(", "]", ")", ":", ",").Replace(about)
		script.Flags = append(script.Flags, completed{f.Name, about, strings.Join(namesOf(f), " "), isBool(f.Value), takesPath(f)})
	})
	return template.Must(template.ParseFS(shellScripts, "completion/"+in.given)).Execute(in.stdout, script)
}

// isBool reports whether a flag with that value may stand alone.
func isBool(value flag.Value) bool {
	b, ok := value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}
