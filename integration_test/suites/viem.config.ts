// viem's own configuration of its core tests, without repeating one that failed.
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const here = import.meta.dirname;

export default defineConfig({
  test: {
    alias: [
      { find: "~contracts", replacement: join(here, "contracts") },
      { find: "~test", replacement: join(here, "test/src") },
      { find: /^viem$/, replacement: join(here, "src/index.ts") },
      { find: /^viem\/(.*)/, replacement: join(here, "src/$1") },
    ],
    include: process.env.FILES!.split(" "),
    retry: 0,
    testTimeout: 6_000,
    hookTimeout: 20_000,
    maxWorkers: 2,
    setupFiles: [join(here, "test/setup.ts")],
    globalSetup: [join(here, "suite.global.ts")],
    reporters: ["default", "json"],
    outputFile: "report.json",
  },
});
