package main

import (
	"context"
	"flag"
	"fmt"
	"strings"
)

// shells lists the shells that have a script.
var shells = []string{"bash", "fish", "zsh"}

// shellScript is the form of a shell's script: what is before and behind the flags, and the text of a flag by what its
// value is. In these COMMANDS, FLAGS, NAME, ABOUT and VALUES are placeholders.
type shellScript struct {
	begin, end                 string
	oneOfValues, file, any, no string
}

var shellScripts = map[string]shellScript{
	"bash": {
		begin:       "_fakenode() {\n\tlocal word=${COMP_WORDS[COMP_CWORD]}\n\tCOMPREPLY=()\n\tcase ${COMP_WORDS[COMP_CWORD-1]} in\n",
		oneOfValues: "\t--NAME) COMPREPLY=($(compgen -W 'VALUES' -- \"$word\")); return ;;\n",
		file:        "\t--NAME) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n",
		any:         "\t--NAME) return ;;\n",
		end: "\tcheck|forkcheck|replay) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n\tesac\n" +
			"\tCOMPREPLY=($(compgen -W 'COMMANDS FLAGS' -- \"$word\"))\n}\ncomplete -F _fakenode fakenode\n",
	},
	"fish": {
		begin: "complete -c fakenode -f\ncomplete -c fakenode -n __fish_use_subcommand -a 'COMMANDS'\n" +
			"complete -c fakenode -n '__fish_seen_subcommand_from check forkcheck replay' -F\n",
		oneOfValues: "complete -c fakenode -l NAME -x -a 'VALUES' -d 'ABOUT'\n",
		file:        "complete -c fakenode -l NAME -r -F -d 'ABOUT'\n",
		any:         "complete -c fakenode -l NAME -x -d 'ABOUT'\n",
		no:          "complete -c fakenode -l NAME -d 'ABOUT'\n",
	},
	"zsh": {
		begin:       "#compdef fakenode\n_fakenode() {\n\t_arguments '1:command:(COMMANDS)' '2:file:_files'",
		oneOfValues: " \\\n\t\t'--NAME=[ABOUT]:value:(VALUES)'",
		file:        " \\\n\t\t'--NAME=[ABOUT]:file:_files'",
		any:         " \\\n\t\t'--NAME=[ABOUT]:value: '",
		no:          " \\\n\t\t'--NAME[ABOUT]'",
		end:         "\n}\ncompdef _fakenode fakenode\n",
	},
}

// complete writes the script that completes commands and flags in one of shells, to be evaluated by its start-up file.
func complete(_ context.Context, in *invocation) error {
	if err := oneOf(in.given, shells...); err != nil {
		return usageError{fmt.Errorf("completion: %w", err)}
	}
	script := shellScripts[in.given]
	flags := serving().flagSet(new(options))
	new(forkOptions).flags(flags)
	new(exploration).flags(flags)
	var commands, names, lines []string
	for _, c := range otherCommands() {
		commands = append(commands, c.name)
	}
	flags.VisitAll(func(f *flag.Flag) {
		_, about := flag.UnquoteUsage(f)
		about = strings.NewReplacer("'", "", "[", "(", "]", ")", ":", ",").Replace(about)
		values, line := strings.Join(namesOf(f), " "), script.any
		switch {
		case isBool(f.Value):
			line = script.no
		case values != "":
			line = script.oneOfValues
		case takesPath(f):
			line = script.file
		}
		names = append(names, "--"+f.Name)
		lines = append(lines, strings.NewReplacer("NAME", f.Name, "ABOUT", about, "VALUES", values).Replace(line))
	})
	all := strings.NewReplacer("COMMANDS", strings.Join(commands, " "), "FLAGS", strings.Join(names, " "))
	_, err := fmt.Fprint(in.stdout, all.Replace(script.begin), strings.Join(lines, ""), all.Replace(script.end))
	return err
}

// isBool reports whether a flag with that value may stand alone.
func isBool(value flag.Value) bool {
	b, ok := value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}
