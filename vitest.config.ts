import { defineConfig } from "vitest/config";

const SECONDS = 1000;

// Generous, because tests also run while other work keeps all cores busy. A test that passes never waits for them.
const expect = { poll: { timeout: 30 * SECONDS } };

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
        },
      },
    ],
  },
});
