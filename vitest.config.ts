import { defineConfig } from "vitest/config";

const SECONDS = 1000;

export default defineConfig({
  resolve: { conditions: ["caliban:source"] },
  ssr: { resolve: { conditions: ["caliban:source"] } },
  test: {
    // One for each core of the machines that we are checked on; left alone, vitest keeps one core free.
    maxWorkers: 2,
    projects: [
      // Pure stages and their edges, from source.
      {
        test: {
          name: "unit",
          include: ["{packages,apps}/*/test/**/*.test.ts"],
          setupFiles: ["test/support/property-seed.ts"],
          // A property of many cases takes seconds where another file is run beside it.
          testTimeout: 30 * SECONDS,
        },
      },
      // What holds for the repository as a whole and for what was built.
      { test: { name: "workspace", include: ["test/*.test.ts"], testTimeout: 60 * SECONDS } },
      // What a stranger gets from the registry.
      {
        test: {
          name: "packaging",
          include: ["test/packaging/*.test.ts"],
          testTimeout: 240 * SECONDS,
          hookTimeout: 240 * SECONDS,
        },
      },
    ],
  },
});
