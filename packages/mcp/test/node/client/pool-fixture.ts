import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tool, ToolResult } from "@caliban/agent-core";
import type { ConfineProgram } from "@caliban/tools-builtin/node";
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { CLIENT_LIMITS, type ClientLimits } from "../../../src/client/client-limits.ts";
import type { McpServer, StartableServer } from "../../../src/client/mcp-server.ts";
import { createServerPool, type ServerPool } from "../../../src/node/client/server-pool.ts";
import type { ServerDiagnostic } from "../../../src/server-diagnostic.ts";
import { fakeServerScript } from "./fake-server.ts";

const SCRIPT = await fakeServerScript();

/** A directory in which conversations follow one another, each with a pool of fake servers. */
export interface PoolFixture {
  readonly directory: string;
  /** A fake server that behaves as the mode says. */
  readonly server: (
    mode: string,
    more?: Partial<McpServer> & { readonly timeoutSeconds?: number },
  ) => StartableServer;
  readonly pool: (limits?: Partial<ClientLimits>, confine?: ConfineProgram) => ServerPool;
  /** What was reported to the user, as `server: message`. */
  readonly reported: string[];
  /** What the fake servers recorded about themselves. */
  readonly recorded: () => readonly string[];
}

export async function poolFixture(): Promise<PoolFixture> {
  const directory = await temporaryDirectory();
  const recordFile = join(directory, "record.txt");
  const reported: string[] = [];
  return {
    directory,
    reported,
    recorded: () =>
      existsSync(recordFile) ? readFileSync(recordFile, "utf8").trim().split("\n") : [],
    server: (mode, { timeoutSeconds = 5, ...more } = {}) => ({
      timeoutSeconds,
      server: {
        name: "x",
        source: "~/.config/caliban/settings.toml",
        transport: {
          kind: "stdio",
          command: process.execPath,
          args: [SCRIPT, mode, recordFile],
          env: { PATH: process.env["PATH"] ?? "" },
          cwd: directory,
        },
        fingerprint: `${mode}-0123456789abcdef0123456789abcdef`,
        ...more,
      },
    }),
    pool: (limits = {}, confine) => {
      const pool = createServerPool({
        version: "1.2.3",
        now: Date.now,
        onExit: () => () => undefined,
        stateDirectory: join(directory, "state"),
        workspaceRoot: directory,
        report: (diagnostic) => void reported.push(format(diagnostic)),
        announceChanges: true,
        failureHint: "See /servers.",
        confine,
        // Long enough for a busy machine; tests that wait for a timeout shorten theirs.
        limits: { ...CLIENT_LIMITS, closeMs: 300, terminateMs: 300, changeMs: 20, ...limits },
      });
      onTestFinished(() => pool.close());
      return pool;
    },
  };
}

function format({ server, message }: ServerDiagnostic): string {
  return `${server}: ${message}`;
}

export function messages(diagnostics: readonly ServerDiagnostic[]): readonly string[] {
  return diagnostics.map(format);
}

/** Starts one server and offers its tools. */
export async function started(
  fixture: PoolFixture,
  mode: string,
  limits: Partial<ClientLimits> = {},
): Promise<{ readonly pool: ServerPool; readonly tools: readonly Tool[] }> {
  const pool = fixture.pool(limits);
  const input = { servers: [fixture.server(mode)], hasTiers: true };
  await pool.offer(input);
  await pool.start();
  const { tools } = await pool.offer(input);
  return { pool, tools };
}

export async function run(
  tools: readonly Tool[],
  name: string,
  input: unknown = {},
): Promise<ToolResult> {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`no ${name} among ${names(tools).join(", ")}`);
  return await tool.run(input, { usedTools: [], notify: () => undefined });
}

export function names(tools: readonly Tool[]): readonly string[] {
  return tools.map(({ name }) => name);
}

/** Waits for a condition; the timeout of the test is the limit. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => void setTimeout(resolve, 10));
}
