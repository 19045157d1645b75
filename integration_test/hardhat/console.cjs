// Prints calls of the console in all overloads of Hardhat's library, with the lines that Hardhat's own decoder makes of
// them: [{data, line}]. The values are the same on every run.
const { AbiCoder } = require("ethers");
const { ConsoleLogger } = require("hardhat/internal/hardhat-network/stack-traces/consoleLogger.js");
const { CONSOLE_LOG_SIGNATURES } = require("hardhat/internal/hardhat-network/stack-traces/logger.js");

let state = 1;
const random = (below) => (state = (state * 48271) % 2147483647) % below;
const bytes = (size) => "0x" + Array.from({ length: size }, () => random(256).toString(16).padStart(2, "0")).join("");
const texts = ["", "paid", "%s", "%d of %s", "100%% %s", "%i%%", "%f", "%j", "%o and %O", "%c%s", "%x %s", "50%", "it's", "it's \"so\"", "日本 %s", "a\nb\t\\", "12.50 dollars", "-0", "1e30"];
const values = {
  Uint256: () => [0n, 7n, 1n << 64n, (1n << 256n) - 1n, BigInt(bytes(20))][random(5)],
  Int256: () => [0n, -1n, 7n, -(1n << 255n), (1n << 255n) - 1n][random(5)],
  String: () => texts[random(texts.length)],
  Bool: () => random(2) === 1,
  Address: () => bytes(20),
  Bytes: () => bytes(random(70)),
};

const calls = [];
for (const [selector, kinds] of Object.entries(CONSOLE_LOG_SIGNATURES)) {
  for (let round = 0; round < 4; round++) {
    const fixed = (kind) => /^Bytes(\d+)$/.exec(kind)?.[1];
    const given = kinds.map((kind) => (fixed(kind) ? bytes(Number(fixed(kind))) : values[kind]()));
    // Where no argument is left, Hardhat shows %d as %s.
    const places = String(given[0]).match(/%[sdifjoOc]/g)?.length ?? 0;
    if (kinds[0] === "String" && places > kinds.length - 1 && /%[di]/.test(given[0])) continue;
    const packed = AbiCoder.defaultAbiCoder().encode(kinds.map((kind) => kind.toLowerCase()), given);
    const data = "0x" + Number(selector).toString(16).padStart(8, "0") + packed.slice(2);
    const [line] = ConsoleLogger.getDecodedLogs([Buffer.from(data.slice(2), "hex")]);
    calls.push({ data, line });
  }
}
console.log(JSON.stringify(calls));
