import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createToolRunner, type Notice, type Tool, type ToolResult } from "@caliban/agent-core";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../test/support/write-files.ts";
import { createFileTools } from "../../src/node/file-tools.ts";
import type { ToolWorkspace } from "../../src/node/tool-workspace.ts";

export interface WorkspaceTools {
  /** Contains the project `app` and the files next to it. */
  readonly home: string;
  readonly root: string;
  readonly tools: readonly Tool[];
  readonly tool: (name: string) => Tool;
  readonly notices: readonly Notice[];
  readonly call: (name: string, input: unknown, signal?: AbortSignal) => Promise<ToolResult>;
  /** The text of a call that must succeed. */
  readonly text: (name: string, input: unknown) => Promise<string>;
}

/** Creates file tools on a real directory. Every call is allowed. */
export async function workspaceTools(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  change: (home: string) => Partial<ToolWorkspace> = () => ({}),
): Promise<WorkspaceTools> {
  const home = await temporaryDirectory();
  const root = join(home, "app");
  await mkdir(root);
  await writeFiles(home, files);
  const tools = createFileTools({
    root,
    startDirectory: root,
    additionalDirectories: [],
    readableDirectories: [],
    home,
    env: { PATH: process.env["PATH"], HOME: home },
    secretVariables: [],
    platform: process.platform,
    outputDirectory: () => join(home, "outputs"),
    findRipgrep: () => undefined,
    killGraceMs: 200,
    ...change(home),
  });
  const notices: Notice[] = [];
  const all = { text: "*", name: "*", source: "test" };
  const runner = createToolRunner({
    tools,
    policy: { allow: [all], ask: [], deny: [], mode: "yolo" },
    notify: (notice) => void notices.push(notice),
  });
  const call: WorkspaceTools["call"] = (name, input, signal) => runner.run({ name, input, signal });
  return {
    home,
    root,
    tools,
    notices,
    call,
    tool: (name) => tools.find((tool) => tool.name === name) as Tool,
    text: async (name, input) => {
      const { text, isError } = await call(name, input);
      if (isError === true) throw new Error(text);
      return text;
    },
  };
}
