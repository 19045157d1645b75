// Compiles the contracts of viem's tests into contracts/generated.ts, as Foundry would. A contract that cannot be compiled
// without viem's git submodules, or that has another name now, is empty.
import fs from "node:fs";
import path from "node:path";
import solc from "solc";

const files = (folder, suffix) => fs.readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(suffix)).map((name) => path.join(folder, name));
const resolve = (name) => {
  const file = name.replace(/^solady[^/]*\//, "node_modules/solady/src/");
  return fs.existsSync(file) ? { contents: fs.readFileSync(file, "utf8") } : { error: "not there" };
};

const generated = {};
for (const file of files("contracts/src", ".sol")) {
  const input = {
    language: "Solidity", sources: { [file]: { content: fs.readFileSync(file, "utf8") } },
    settings: { outputSelection: { "*": { "*": ["abi", "evm.bytecode"] } } },
  };
  const { contracts = {} } = JSON.parse(solc.compile(JSON.stringify(input), { import: resolve }));
  for (const [name, { abi, evm }] of Object.values(contracts).flatMap(Object.entries)) {
    generated[name] ??= { abi, bytecode: { object: `0x${evm.bytecode.object}` } };
  }
}
for (const file of [...files("src", ".ts"), ...files("test", ".ts")]) {
  for (const [, names] of fs.readFileSync(file, "utf8").matchAll(/import\s*\{([^}]*)\}\s*from\s*'[^']*contracts\/generated(?:\.js)?'/g)) {
    for (const name of names.split(",").map((imported) => imported.trim().split(" ")[0]).filter(Boolean)) {
      generated[name] ??= { abi: [], bytecode: { object: "0x" } };
    }
  }
}
fs.writeFileSync("contracts/generated.ts", Object.entries(generated).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)} as const;\n`).join(""));
