import { describe, expect, it } from "vitest";
import { topicBackendCases } from "@caliban/memory/testing";
import { hasTool } from "../../../../test/support/optional-tool.ts";
import { startPostgres } from "../../../../test/support/postgres-server.ts";
import { createPostgresBackend, migrate } from "../../src/node/index.ts";
import { afterAll, beforeAll, onTestFinished } from "vitest";

let server: Awaited<ReturnType<typeof startPostgres>>;
const has = await hasTool("postgres", async () => {
  server = await startPostgres();
});
afterAll(async () => server?.stop());
let n = 0;
const opened: { close(): Promise<void> }[] = [];

describe.skipIf(!has)("createPostgresBackend", () => {
  beforeAll(async () => {
    await migrate({ url: server.url });
  });
  it.for(
    topicBackendCases(async () => {
      const project = `p-${(n += 1)}`;
      const open = () => {
        const backend = createPostgresBackend({ url: server.url, project, scope: "project" });
        opened.push(backend);
        return backend;
      };
      return { backend: open(), reopen: async () => open() };
    }),
  )("$name", async ({ run }) => {
    onTestFinished(async () => {
      await Promise.all(opened.splice(0).map((backend) => backend.close()));
    });
    await expect(run()).resolves.toBeUndefined();
  });
});
