// flagsSource returns TypeScript for the flags that a help text of the binary lists, each with its explanation. Its fish
// completions tell the words that a flag takes.
export function flagsSource(help, completions) {
  const words = new Map([...completions.matchAll(/ -l (\S+) -x -a '([^']+)'/g)].map(([, name, all]) => [name, all.split(" ")]));
  const flags = [...help.matchAll(/^ {2}--(?<name>[a-z0-9-]+)(?: (?<kind>\S+))?\n {4}\t(?<about>.*(?:\n {4}\t.*)*)/gm)];
  if (flags.length === 0) throw new Error(`no flags in the help text: ${help}`);
  const members = flags.map(({ groups: { name, kind, about } }) => {
    const member = name.replace(/-([a-z0-9])/g, (_, letter) => letter.toUpperCase());
    return `  /** ${about.replace(/\s+/g, " ")} */\n  ${member}?: ${typeOf(kind, about, words.get(name))} | undefined;\n`;
  });
  return `// Made by build.mjs from the help text of the binary.\n\n/** The flags of the command line in camel case. */\nexport interface Flags {\n${members.join("")}}\n`;
}

function typeOf(kind, about, words) {
  if (words !== undefined) return words.map((word) => JSON.stringify(word)).join(" | ");
  if (kind === undefined) return "boolean";
  if (["int", "uint", "float"].includes(kind)) return "number | bigint | string";
  return /\brepeatable\b/.test(about) ? "string | readonly string[]" : "string | number | bigint";
}
