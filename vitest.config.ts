import { defineConfig } from "vitest/config";

const SECONDS = 1000;

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
          // A property with many cases takes seconds while other tests keep the cores busy.
          testTimeout: 30 * SECONDS,
        },
      },
      // Tests of the repository and of the built program.
      { test: { name: "workspace", include: ["test/*.test.ts"], testTimeout: 60 * SECONDS } },
      // Tests of the packages as npm installs them.
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
