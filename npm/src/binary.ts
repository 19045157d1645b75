import { existsSync } from "node:fs";
import { join, dirname } from "node:path";

/** The platforms that have a package with a binary, named as Node.js names them. */
const platforms = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-x64"];

/**
 * Returns the path of the node's binary: that of the platform's package, which the package manager installs as an
 * optional dependency of this one, or the path in the variable FAKENODE_BINARY.
 *
 * @throws when there is none; the message says what to do.
 */
export function binaryPath(): string {
  const named = process.env.FAKENODE_BINARY;
  if (named !== undefined && named !== "") {
    if (!existsSync(named)) throw new Error(`fakenode: FAKENODE_BINARY names ${named}, which does not exist`);
    return named;
  }
  const platform = `${process.platform}-${process.arch}`;
  if (!platforms.includes(platform))
    throw new Error(`fakenode: no binary is made for ${platform}: build one with Go and name it in FAKENODE_BINARY`);
  const name = `@fakenode/${platform}`;
  try {
    const file = process.platform === "win32" ? "fakenode.exe" : "fakenode";
    return join(dirname(require.resolve(`${name}/package.json`)), "bin", file);
  } catch {
    throw new Error(`fakenode: the package ${name} is not installed: install again without --omit=optional, or name a binary in FAKENODE_BINARY`);
  }
}
