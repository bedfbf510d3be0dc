import { join } from "node:path";
import { defineConfig } from "vitest/config";

const SECONDS = 1000;

// Generous, because tests also run while other work keeps all cores busy. A test that passes never waits for them.
const expect = { poll: { timeout: 30 * SECONDS } };

// Files share a worker and its modules: nothing is mocked, and loading the modules again for each file takes a third of the run.
const isolate = false;

// Processes that tests start load source files; compiling these takes most of their time.
const env = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/caliban/compiled"),
};

export default defineConfig({
  resolve: { conditions: ["caliban:source"] },
  ssr: { resolve: { conditions: ["caliban:source"] } },
  test: {
    // One per core of the CI machines; by default, vitest keeps one core free.
    maxWorkers: 2,
    projects: [
      // Tests of the packages and the program, from source.
      {
        test: {
          name: "unit",
          include: ["{packages,apps}/*/test/**/*.test.ts"],
          setupFiles: ["test/support/property-seed.ts"],
          testTimeout: 90 * SECONDS,
          expect,
          isolate,
          env,
        },
      },
      // Tests of the repository and of the built program.
      {
        test: {
          name: "workspace",
          include: ["test/*.test.ts"],
          testTimeout: 180 * SECONDS,
          hookTimeout: 60 * SECONDS,
          expect,
          isolate,
          env,
        },
      },
      // Tests of the packages as npm installs them.
      {
        test: {
          name: "packaging",
          include: ["test/packaging/*.test.ts"],
          testTimeout: 480 * SECONDS,
          hookTimeout: 480 * SECONDS,
          expect,
          isolate,
          env,
        },
      },
    ],
  },
});
