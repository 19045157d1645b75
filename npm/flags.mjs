// flagsSource returns TypeScript for the flags that a help text of the binary lists, each with its explanation.
export function flagsSource(help) {
  const flags = [...help.matchAll(/^ {2}--(?<name>[a-z0-9-]+)(?: (?<kind>\S+))?\n {4}\t(?<about>.*(?:\n {4}\t.*)*)/gm)];
  if (flags.length === 0) throw new Error(`no flags in the help text: ${help}`);
  const members = flags.map(({ groups: { name, kind, about } }) => {
    const member = name.replace(/-([a-z0-9])/g, (_, letter) => letter.toUpperCase());
    return `  /** ${about.replace(/\s+/g, " ")} */\n  ${member}?: ${typeOf(kind, about)} | undefined;\n`;
  });
  return `// Made by build.mjs from the help text of the binary.\n\n/** The flags of the command line in camel case. */\nexport interface Flags {\n${members.join("")}}\n`;
}

function typeOf(kind, about) {
  if (kind === undefined) return "boolean";
  if (["int", "uint", "float"].includes(kind)) return "number | bigint | string";
  return /\brepeatable\b/.test(about) ? "string | readonly string[]" : "string | number | bigint";
}
