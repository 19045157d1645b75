// Makes the npm packages: node build.mjs BINARIES OUTPUT VERSION [PLATFORM …]. BINARIES has a directory for each platform, as
// make binaries leaves them. OUTPUT gets a directory and a tarball for each package. With platforms, in Go's names, the
// packages of others are left out.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { flagsSource } from "./flags.mjs";

const [binaries, output] = process.argv.slice(2, 4).map((argument) => resolve(argument));
const [version, ...wanted] = process.argv.slice(4);
process.chdir(import.meta.dirname);

// The platforms, as Go and as Node.js name them.
const platforms = [
  { go: "darwin-amd64", os: "darwin", cpu: "x64" },
  { go: "darwin-arm64", os: "darwin", cpu: "arm64" },
  { go: "linux-amd64", os: "linux", cpu: "x64" },
  { go: "linux-arm64", os: "linux", cpu: "arm64" },
  { go: "windows-amd64", os: "win32", cpu: "x64" },
];
const binaryOf = ({ os }) => (os === "win32" ? "fakenode.exe" : "fakenode");
const packageOf = ({ os, cpu }) => `@fakenode/${os}-${cpu}`;

// The types of the flags come from the binary itself.
function compile() {
  const host = platforms.find(({ os, cpu }) => os === process.platform && cpu === process.arch);
  if (host === undefined) throw new Error(`no binary for ${process.platform}-${process.arch}, which must say its flags`);
  const printed = (...words) => execFileSync(join(binaries, host.go, binaryOf(host)), words, { encoding: "utf8" });
  writeFileSync("src/flags.ts", flagsSource(printed("--help"), printed("completion", "fish")));
  rmSync("lib", { recursive: true, force: true });
  execFileSync(process.execPath, [join("node_modules", "typescript", "bin", "tsc")], { stdio: "inherit" });
  for (const name of ["anvil", "bin"]) chmodSync(`lib/${name}.js`, 0o755);
}

// write makes the directory of a package and packs it.
function write(name, manifest, fill) {
  const directory = join(output, name);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "package.json"), JSON.stringify(manifest, null, 2) + "\n");
  cpSync("../LICENSE", join(directory, "LICENSE"));
  fill(directory);
  execFileSync("npm", ["pack", "--silent", "--pack-destination", output], { cwd: directory, shell: process.platform === "win32" });
}

compile();
rmSync(output, { recursive: true, force: true });
for (const platform of platforms) {
  const { os, cpu, go } = platform;
  if (wanted.length > 0 && !wanted.includes(go)) continue;
  const manifest = {
    name: packageOf(platform),
    version,
    description: `The binary of fakenode for ${os} on ${cpu}`,
    license: "MIT",
    os: [os],
    cpu: [cpu],
    preferUnplugged: true,
    files: ["bin"],
  };
  write(manifest.name, manifest, (directory) => {
    const binary = join(directory, "bin", binaryOf(platform));
    mkdirSync(dirname(binary));
    cpSync(join(binaries, go, binaryOf(platform)), binary);
    chmodSync(binary, 0o755);
    writeFileSync(join(directory, "README.md"), `# ${manifest.name}\n\n${manifest.description}. Install \`fakenode\`, which brings it.\n`);
  });
}
const { devDependencies, ...manifest } = JSON.parse(readFileSync("package.json", "utf8"));
const optionalDependencies = Object.fromEntries(platforms.map((platform) => [packageOf(platform), version]));
write("fakenode", { ...manifest, version, optionalDependencies }, (directory) => {
  for (const folder of manifest.files) cpSync(folder, join(directory, folder), { recursive: true });
  cpSync("README.md", join(directory, "README.md"));
});
