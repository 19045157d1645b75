import { defineConfig } from "vitest/config";

// Four files in four workers, on one node.
export default defineConfig({ test: { globalSetup: ["fakenode/vitest"], maxWorkers: 4, minWorkers: 4, testTimeout: 600_000 } });
