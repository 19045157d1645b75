/** The value of a flag. A list repeats the flag; undefined leaves it out. */
export type FlagValue = string | number | bigint | boolean | readonly (string | number | bigint)[] | undefined;

/** Returns the environment variable of an option: FAKENODE_BLOCK_TIME of blockTime. */
export function toVariable(name: string): string {
  return "FAKENODE_" + name.replace(/[A-Z]/g, (letter) => "_" + letter).toUpperCase();
}

/** Returns the command line of options: {blockTime: "2s", noPreconf: true} is --block-time=2s --no-preconf=true. */
export function toArguments(options: Readonly<Record<string, FlagValue>>): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const flag = "--" + name.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase());
    const values: readonly (string | number | bigint | boolean)[] = Array.isArray(value) ? value : [value];
    return values.map((one) => `${flag}=${one}`);
  });
}
