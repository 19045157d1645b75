// Compiles contracts on top of OpenZeppelin's and Solady's, and writes their artifacts below the folder that is its last
// argument: in out/ as Foundry does, in artifacts/ as Hardhat does.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import solc from "solc";

const require = createRequire(import.meta.url);
const folder = process.argv.at(-1);
const head = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.24;\n";
const sources = {
  "src/Shares.sol": `${head}
    import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
    contract Shares is ERC20("Shares", "SHR") {
      uint256 public immutable cap;
      constructor(uint256 cap_) { cap = cap_; _mint(msg.sender, cap_); }
    }`,
  "src/Coin.sol": `${head}
    import {ERC20} from "solady/src/tokens/ERC20.sol";
    import {Ownable} from "solady/src/auth/Ownable.sol";
    contract Coin is ERC20, Ownable {
      constructor() { _initializeOwner(msg.sender); }
      function name() public pure override returns (string memory) { return "Coin"; }
      function symbol() public pure override returns (string memory) { return "COIN"; }
      function mint(address to, uint256 amount) external onlyOwner { _mint(to, amount); }
    }`,
  "src/lib/Maths.sol": `${head}
    library Maths {
      error TooLarge(uint256 given, uint256 limit);
      struct Sum { uint256 value; }
      function times(uint256 x, uint256 y) public pure returns (uint256) { if (x > 1000) revert TooLarge(x, 1000); return x * y; }
      function add(Sum storage sum, uint256 x) public { sum.value += x; }
    }`,
  "src/Scaler.sol": `${head}
    import {Maths} from "./lib/Maths.sol";
    contract Scaler {
      event Scaled(address indexed by, uint256 result);
      uint256 public immutable factor;
      string public label;
      Maths.Sum private sum;
      constructor(uint256 factor_, string memory label_) { factor = factor_; label = label_; }
      function scale(uint256 x) external returns (uint256 result) {
        result = Maths.times(x, factor);
        Maths.add(sum, result);
        emit Scaled(msg.sender, result);
      }
    }`,
};

const input = {
  language: "Solidity",
  sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
  settings: {
    evmVersion: "cancun",
    optimizer: { enabled: true, runs: 200 },
    outputSelection: { "*": { "*": ["abi", "evm.bytecode", "evm.deployedBytecode"] } },
  },
};
const found = (name) => ({ contents: readFileSync(require.resolve(name), "utf8") });
const output = JSON.parse(solc.compile(JSON.stringify(input), { import: found }));
const errors = (output.errors ?? []).filter(({ severity }) => severity === "error");
if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"));

const write = (path, content) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
};
for (const source of Object.keys(sources)) {
  for (const [contractName, { abi, evm }] of Object.entries(output.contracts[source])) {
    const code = ({ object, linkReferences, immutableReferences }) => ({ object: `0x${object}`, linkReferences, immutableReferences });
    write(join(folder, "out", basename(source), `${contractName}.json`), { abi, bytecode: code(evm.bytecode), deployedBytecode: code(evm.deployedBytecode) });
    write(join(folder, "artifacts", source, `${contractName}.json`), {
      _format: "hh-sol-artifact-1",
      contractName,
      sourceName: source,
      abi,
      bytecode: `0x${evm.bytecode.object}`,
      deployedBytecode: `0x${evm.deployedBytecode.object}`,
      linkReferences: evm.bytecode.linkReferences,
      deployedLinkReferences: evm.deployedBytecode.linkReferences,
    });
  }
}
console.log("{}");
