import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const SECONDS = 1000;

// Generous, because tests also run while other work keeps all cores busy. A test that passes never waits for them.
const expect = { poll: { timeout: 30 * SECONDS } };

// Files share a worker and its modules: nothing is mocked, and loading the modules again for each file takes a third of the run.
const isolate = false;

// Processes that tests start load source files; compiling these takes most of their time.
const env = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/caliban/compiled"),
};

/** Starts with the projects whose files take longest, so that no worker runs one of them alone at the end. */
// oxlint-disable-next-line caliban/classes-are-errors -- vitest calls the constructor
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array
    const sorted = await super.sort(files);
    return ["packaging", "workspace", "unit"].flatMap((name) =>
      sorted.filter(({ project }) => project.name === name),
    );
  }
}

export default defineConfig({
  resolve: { conditions: ["caliban:source"] },
  ssr: { resolve: { conditions: ["caliban:source"] } },
  test: {
    // One more than the CI machines have cores, because many tests wait for a process, a timer or the network.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
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
