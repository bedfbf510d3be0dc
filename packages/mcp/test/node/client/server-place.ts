import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tool, ToolResult } from "@caliban/agent-core";
import { onTestFinished } from "vitest";
import { fakeServerScript } from "./fake-server.ts";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { CLIENT_LIMITS, type ClientLimits } from "../../../src/client/limits.ts";
import type { McpServer } from "../../../src/client/mcp-server.ts";
import { createServerPool, type ServerPool } from "../../../src/node/client/server-pool.ts";
import type { UsableServer } from "../../../src/node/client/managed-server.ts";

const SCRIPT = await fakeServerScript();

/** A directory in which sessions follow one another, each with the servers it is given. */
export interface ServerPlace {
  readonly directory: string;
  readonly usable: (
    mode: string,
    more?: Partial<McpServer> & { readonly timeoutSeconds?: number },
  ) => UsableServer;
  readonly session: (limits?: Partial<ClientLimits>) => ServerPool;
  /** What was said to the person. */
  readonly said: string[];
  /** What the server noted of what happened to it. */
  readonly noted: () => readonly string[];
}

export async function serverPlace(): Promise<ServerPlace> {
  const directory = await temporaryDirectory();
  const notes = join(directory, "notes.txt");
  const said: string[] = [];
  return {
    directory,
    said,
    noted: () => (existsSync(notes) ? readFileSync(notes, "utf8").trim().split("\n") : []),
    usable: (mode, { timeoutSeconds = 5, ...more } = {}) => ({
      timeoutSeconds,
      server: {
        name: "x",
        source: "~/.config/caliban/settings.toml",
        transport: {
          kind: "stdio",
          command: process.execPath,
          args: [SCRIPT, mode, notes],
          env: { PATH: process.env["PATH"] ?? "" },
          cwd: directory,
        },
        fingerprint: `${mode}-0123456789abcdef0123456789abcdef`,
        ...more,
      },
    }),
    session: (limits = {}) => {
      const session = createServerPool({
        host: { now: Date.now, version: "1.2.3", onExit: () => () => undefined },
        stateHome: join(directory, "state"),
        workspaceRoot: directory,
        say: (line) => void said.push(line),
        tellsChanges: true,
        limits: {
          ...CLIENT_LIMITS,
          startMs: 4_000,
          closeMs: 300,
          terminateMs: 300,
          changeMs: 20,
          ...limits,
        },
      });
      onTestFinished(() => session.close());
      return session;
    },
  };
}

/** Takes the servers up, starts them, and takes up what they offer. */
export async function started(
  place: ServerPlace,
  mode: string,
  limits: Partial<ClientLimits> = {},
): Promise<{ readonly session: ServerPool; readonly tools: readonly Tool[] }> {
  const session = place.session(limits);
  const wish = { servers: [place.usable(mode)], hasTiers: true };
  await session.take(wish);
  await session.start();
  const { tools } = await session.take(wish);
  return { session, tools };
}

export async function run(
  tools: readonly Tool[],
  name: string,
  input: unknown = {},
): Promise<ToolResult> {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`there is no ${name} among ${names(tools).join(", ")}`);
  return await tool.run(input, { usedTools: [], notify: () => undefined });
}

export function names(tools: readonly Tool[]): readonly string[] {
  return tools.map(({ name }) => name);
}

/** Waits until something is so. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let waited = 0; !isSo(); waited += 10) {
    if (waited > 5_000) throw new Error("it did not come about");
    await new Promise((resolve) => void setTimeout(resolve, 10));
  }
}
