package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// shells lists the shells that writeCompletion supports.
var shells = []string{"bash", "fish", "zsh"}

// writeCompletion writes the script that completes commands and flags in one of shells, to be evaluated by its start-up
// file.
func writeCompletion(w io.Writer, shell string) error {
	flags := serving().flagSet(new(options))
	new(options).forkCheck.define(flags)
	new(options).explore.define(flags)
	var names []string
	for _, c := range otherCommands() {
		names = append(names, c.name)
	}
	var script strings.Builder
	write := map[string]func(*strings.Builder, []string, []completion){"bash": writeBash, "fish": writeFish, "zsh": writeZsh}[shell]
	write(&script, names, completions(flags))
	_, err := io.WriteString(w, script.String())
	return err
}

// completion describes how the value of a flag is completed.
type completion struct {
	flag   *flag.Flag
	about  string   // one line, without quotes
	values []string // the allowed values, if there is a list
	file   bool     // the value is a path
	bare   bool     // the flag takes no value
}

func completions(flags *flag.FlagSet) []completion {
	var all []completion
	flags.VisitAll(func(f *flag.Flag) {
		kind, about := flag.UnquoteUsage(f)
		all = append(all, completion{
			flag:   f,
			about:  strings.NewReplacer("'", "", "[", "(", "]", ")", ":", ",").Replace(about),
			values: choices[f.Name],
			file:   kind == "file" || kind == "directory",
			bare:   isBool(f.Value),
		})
	})
	return all
}

// isBool reports whether a flag with that value may stand alone.
func isBool(value flag.Value) bool {
	b, ok := value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

func writeBash(w *strings.Builder, commands []string, flags []completion) {
	fmt.Fprint(w, "_fakenode() {\n\tlocal word=${COMP_WORDS[COMP_CWORD]}\n\tCOMPREPLY=()\n\tcase ${COMP_WORDS[COMP_CWORD-1]} in\n")
	names, free := commands, []string(nil)
	for _, c := range flags {
		names = append(names, "--"+c.flag.Name)
		switch {
		case len(c.values) > 0:
			fmt.Fprintf(w, "\t--%s) COMPREPLY=($(compgen -W '%s' -- \"$word\")); return ;;\n", c.flag.Name, strings.Join(c.values, " "))
		case c.file:
			fmt.Fprintf(w, "\t--%s) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n", c.flag.Name)
		case !c.bare:
			free = append(free, "--"+c.flag.Name)
		}
	}
	fmt.Fprintf(w, "\tcheck|forkcheck|replay) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n\t%s) return ;;\n\tesac\n", strings.Join(free, "|"))
	fmt.Fprintf(w, "\tCOMPREPLY=($(compgen -W '%s' -- \"$word\"))\n}\ncomplete -F _fakenode fakenode\n", strings.Join(names, " "))
}

func writeFish(w *strings.Builder, commands []string, flags []completion) {
	fmt.Fprintf(w, "complete -c fakenode -f\ncomplete -c fakenode -n __fish_use_subcommand -a '%s'\n", strings.Join(commands, " "))
	fmt.Fprintln(w, "complete -c fakenode -n '__fish_seen_subcommand_from check forkcheck replay' -F")
	for _, c := range flags {
		fmt.Fprintf(w, "complete -c fakenode -l %s", c.flag.Name)
		switch {
		case len(c.values) > 0:
			fmt.Fprintf(w, " -x -a '%s'", strings.Join(c.values, " "))
		case c.file:
			fmt.Fprint(w, " -r -F")
		case !c.bare:
			fmt.Fprint(w, " -x")
		}
		fmt.Fprintf(w, " -d '%s'\n", c.about)
	}
}

func writeZsh(w *strings.Builder, commands []string, flags []completion) {
	fmt.Fprintf(w, "#compdef fakenode\n_fakenode() {\n\t_arguments '1:command:(%s)' '2:file:_files'", strings.Join(commands, " "))
	for _, c := range flags {
		switch {
		case c.bare:
			fmt.Fprintf(w, " \\\n\t\t'--%s[%s]'", c.flag.Name, c.about)
		case len(c.values) > 0:
			fmt.Fprintf(w, " \\\n\t\t'--%s=[%s]:value:(%s)'", c.flag.Name, c.about, strings.Join(c.values, " "))
		case c.file:
			fmt.Fprintf(w, " \\\n\t\t'--%s=[%s]:file:_files'", c.flag.Name, c.about)
		default:
			fmt.Fprintf(w, " \\\n\t\t'--%s=[%s]:value: '", c.flag.Name, c.about)
		}
	}
	fmt.Fprint(w, "\n}\ncompdef _fakenode fakenode\n")
}
