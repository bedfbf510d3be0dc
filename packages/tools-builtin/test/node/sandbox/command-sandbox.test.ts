import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { createDirectoryLister } from "../../../src/node/protection/directory-lister.ts";
import { createCommandSandbox } from "../../../src/node/sandbox/command-sandbox.ts";
import { completeWorkspace } from "../../../src/node/tool-workspace.ts";

const MAX_DIRECTORIES = 5;

async function createSandbox() {
  const [root, temporary] = [await temporaryDirectory(), await temporaryDirectory()];
  const files = { temporary, unreadable: "", filter: undefined, proxySocket: "" };
  const sandbox = createCommandSandbox({
    workspace: completeWorkspace({ root, env: {}, platform: "linux" }),
    settings: { mode: "auto" },
    sandbox: {
      kind: "bubblewrap",
      path: "/usr/bin/bwrap",
      version: "",
      features: { permissions: true, disableUserNamespaces: true },
      socat: undefined,
    },
    network: { kind: "off" },
    files: () => files,
    protectedPaths: () => [],
    directories: createDirectoryLister(),
    maxDirectories: MAX_DIRECTORIES,
  });
  const prepare = () => sandbox.prepare({ access: "workspace", env: {}, readableFiles: [] });
  return { root, sandbox, prepare };
}

function createDirectories(root: string, count: number): void {
  for (let index = 0; index < count; index++) mkdirSync(join(root, `${index}`));
}

describe("the sandbox of a workspace with very many directories", () => {
  it("searches everything that a command created", async () => {
    const { root, prepare } = await createSandbox();
    const command = prepare();
    createDirectories(root, 2 * MAX_DIRECTORIES);
    mkdirSync(join(root, "9/.vscode"));
    expect(command.finish()).toMatchObject({
      isComplete: true,
      undone: [{ path: join(root, "9/.vscode") }],
    });
  });

  it("gives no write access to a workspace that it cannot search, until it can", async () => {
    const { root, sandbox, prepare } = await createSandbox();
    createDirectories(root, MAX_DIRECTORIES);
    const command = prepare();
    expect([command.access, command.args.includes("--bind-try")]).toEqual(["read-only", false]);
    expect([command.finish().isComplete, sandbox.canWrite()]).toEqual([false, false]);
    rmSync(join(root, "0"), { recursive: true });
    expect([sandbox.canWrite(), prepare().access]).toEqual([true, "workspace"]);
  });
});
