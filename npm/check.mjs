// Checks a packed package as its users' tools read it: node check.mjs DIRECTORY TARBALL. The entries for prool and vitest are
// ES modules, as those libraries are.
import { readFileSync } from "node:fs";

import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";

const [directory, tarball] = process.argv.slice(2);
const { messages } = await publint({ pkgDir: directory, strict: true });
const { problems } = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
const modules = ["./prool", "./vitest"];
const wrong = [...messages, ...problems.filter(({ entrypoint }) => !modules.includes(entrypoint))];
if (wrong.length > 0) {
  console.error(JSON.stringify(wrong, null, 2));
  process.exit(1);
}
