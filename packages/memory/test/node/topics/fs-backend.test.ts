import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { createFsBackend } from "../../../src/node/topics/fs-backend.ts";
import { createStoreContext } from "../../../src/node/topics/transaction/store-context.ts";
import { topicBackendCases } from "../../../src/testing/backend-cases.ts";

describe("createFsBackend", () => {
  const cases = topicBackendCases(async () => {
    const home = await temporaryDirectory();
    const input = {
      directory: join(home, "memory"),
      historyDirectory: join(home, "history"),
      saveMs: 0,
    };
    const open = (): ReturnType<typeof createFsBackend> =>
      createFsBackend(createStoreContext(input));
    return { backend: open(), reopen: async () => open(), showsParts: true };
  });
  it.for(cases)("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
