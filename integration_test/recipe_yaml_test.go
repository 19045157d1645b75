package integration_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// githubAction is action.yml.
type githubAction struct {
	Inputs map[string]struct {
		Required bool
		Default  *string
	}
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []struct {
			ID, Shell, Run string
			Env            map[string]string
		}
	}
}

func readAction(t *testing.T) githubAction {
	t.Helper()
	text, err := os.ReadFile("../action.yml")
	require.NoError(t, err)
	return readYAML[githubAction](t, string(text))
}

// readYAML reads YAML; a key that is there twice is an error.
func readYAML[T any](t *testing.T, text string) (value T) {
	t.Helper()
	require.NoError(t, yaml.Unmarshal([]byte(text), &value))
	return value
}

// requireFlags lets the binary read a command line, and nothing more.
func requireFlags(t *testing.T, words ...string) {
	t.Helper()
	output, err := exec.CommandContext(t.Context(), programPath(t, nodeProgram), append(words, "--help")...).CombinedOutput()
	require.NoError(t, err, "%v: %s", words, output)
}

// Ensure the action's inputs reach its script, and that a step writes each of its outputs.
func TestActionIsWhole(t *testing.T) {
	t.Parallel()
	action := readAction(t)
	require.Equal(t, "composite", action.Runs.Using)
	used, written := map[string]bool{}, map[string]bool{}
	for _, step := range action.Runs.Steps {
		require.Equal(t, "bash", step.Shell, "a composite action names the shell of each step")
		require.NotContains(t, step.Run, "${{", "what a user writes is no part of the script")
		for name, value := range step.Env {
			require.Regexp(t, `\$\{?`+name+`\b`, step.Run)
			for _, input := range regexp.MustCompile(`\$\{\{ inputs\.([a-z-]+)\b`).FindAllStringSubmatch(value, -1) {
				used[input[1]] = true
			}
		}
		for _, output := range regexp.MustCompile(`echo "([a-z-]+)=.*>> "\$GITHUB_OUTPUT"`).FindAllStringSubmatch(step.Run, -1) {
			written["${{ steps."+step.ID+".outputs."+output[1]+" }}"] = true
		}
	}
	for name, input := range action.Inputs {
		require.True(t, used[name], "no step uses %s", name)
		require.True(t, input.Required != (input.Default != nil), "%s is required, or has a default", name)
	}
	for name, output := range action.Outputs {
		require.True(t, written[output.Value], "no step writes %s", name)
	}
}

// Ensure the workflow of the recipe gives the action the inputs it has, with flags of the binary, and reads outputs
// that it has.
func TestRecipeGitHubActions(t *testing.T) {
	t.Parallel()
	page := readRecipe(t, "github-actions.md")
	action := readAction(t)
	type workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				ID, Uses, Run string
				With          map[string]string
			}
		}
	}
	uses := 0
	for name, text := range page.files {
		for _, job := range readYAML[workflow](t, text).Jobs {
			ids := map[string]bool{}
			for _, step := range job.Steps {
				for _, read := range regexp.MustCompile(`steps\.(\S+)\.outputs\.(\S+) `).FindAllStringSubmatch(step.Run, -1) {
					require.True(t, ids[read[1]], "%s: no step above has the id %s", name, read[1])
					require.Contains(t, action.Outputs, read[2])
				}
				if command, ours := strings.CutPrefix(step.Run, "fakenode "); ours {
					requireFlags(t, strings.Fields(regexp.MustCompile(`\$\{\{.*?\}\}`).ReplaceAllString(command, "http://127.0.0.1:1"))...)
				}
				if !strings.HasPrefix(step.Uses, "fakenode/fakenode@") {
					continue
				}
				uses++
				ids[step.ID] = true
				for input := range step.With {
					require.Contains(t, action.Inputs, input)
				}
				for input, is := range action.Inputs {
					require.True(t, !is.Required || step.With[input] != "", "%s: %s is required", name, input)
				}
				requireFlags(t, strings.Fields(step.With["args"])...)
			}
		}
	}
	require.Equal(t, 1, uses)
}

// Ensure the services of the recipe for docker compose run with flags and variables of the binary, wait for services
// that there are, and check a health that the image reports; this needs no docker.
func TestRecipeDockerComposeFile(t *testing.T) {
	t.Parallel()
	type compose struct {
		Services map[string]struct {
			Image       string
			Command     []string
			Environment map[string]string
			Ports       []string
			DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
		}
	}
	help, err := exec.CommandContext(t.Context(), programPath(t, nodeProgram), "--help").Output()
	require.NoError(t, err)
	image, err := os.ReadFile("../Dockerfile")
	require.NoError(t, err)
	page := readRecipe(t, "docker-compose.md")
	services := readYAML[compose](t, page.files["compose.yaml"]).Services
	require.Contains(t, page.script, "docker compose up --wait node\n")
	for name, service := range services {
		require.Equal(t, "fakenode", service.Image)
		requireFlags(t, service.Command...)
		for variable, value := range service.Environment {
			flag := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(variable, "FAKENODE_"), "_", "-"))
			require.Contains(t, string(help), "\n  --"+flag+" ", variable)
			require.Contains(t, services, value, "%s: %s allows the name of a service", name, variable)
		}
		for other, is := range service.DependsOn {
			require.Contains(t, services, other)
			require.Equal(t, "service_healthy", is.Condition)
			require.Contains(t, string(image), "\nHEALTHCHECK ")
		}
		for _, port := range service.Ports {
			require.Contains(t, string(image), "\nEXPOSE "+port[strings.LastIndex(port, ":")+1:]+"\n")
		}
	}
}

// Ensure every flag that the recipes give the node, in whatever language, is one of the binary.
func TestRecipesNameFlags(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../docs/recipes/*.md")
	require.NoError(t, err)
	pages = append(pages, "../docs/recipes.md", "../README.md", "../npm/README.md")
	command := regexp.MustCompile("(?:\\bfakenode |[wW]ith_?[cC]ommand\\(|command: \\[|args:)([^`\n)&|]*)")
	found := 0
	var help []byte
	for _, of := range [][]string{{"help"}, {"help", "exam"}, {"help", "explore"}} {
		flags, err := exec.CommandContext(t.Context(), programPath(t, nodeProgram), of...).Output()
		require.NoError(t, err)
		help = append(help, flags...)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, words := range command.FindAllStringSubmatch(string(text), -1) {
			for _, flag := range regexp.MustCompile(`--([a-z][a-z-]+)`).FindAllStringSubmatch(words[1], -1) {
				found++
				if flag[1] != "help" {
					require.Regexp(t, "\n  --"+flag[1]+"[ \n]", string(help), "%s: %s", page, words[0])
				}
			}
		}
	}
	require.Greater(t, found, 15)
}
