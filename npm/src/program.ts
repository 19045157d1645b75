import { spawn } from "node:child_process";

import { binaryPath } from "./binary.js";

/** Runs the binary in this process's place, under a name: the same arguments, streams, signals and exit code. */
export function run(name: "fakenode" | "anvil") {
  let path: string;
  try {
    path = binaryPath();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
  const child = spawn(path, process.argv.slice(2), { stdio: "inherit", argv0: name });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(`fakenode: ${path} does not run: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
