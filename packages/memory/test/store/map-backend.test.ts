import { describe, expect, it } from "vitest";
import { createMapBackend } from "../../src/store/map-backend.ts";
import { topicBackendCases } from "../../src/testing/backend-cases.ts";

describe("createMapBackend", () => {
  const cases = topicBackendCases(async () => {
    const backend = createMapBackend();
    return { backend, reopen: async () => backend };
  });
  it.for(cases)("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
