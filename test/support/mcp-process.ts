import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";
import { childEnvironment } from "./child-environment.ts";
import { type JsonLinesServer, startJsonLines } from "./json-lines.ts";
import { PROGRAM, type TestHome } from "./run-caliban.ts";

export interface McpClientInput {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly name?: string;
  /** The URIs of its roots. Without them, the client does not support roots. */
  readonly roots?: readonly string[];
}

export interface ConnectedClient {
  readonly client: Client;
  /** What the server printed for the user. */
  readonly stderr: () => string;
  readonly pid: number;
  /** The notifications that arrived, as method and address. */
  readonly notified: readonly string[];
}

/** Connects the SDK's client to a process of `caliban mcp` in `~/app`. */
export async function connectClient(
  { home }: TestHome,
  input: McpClientInput = {},
): Promise<ConnectedClient> {
  const { args = [], env = {}, name = "test-client", roots } = input;
  const [file, ...words] = PROGRAM;
  const transport = new StdioClientTransport({
    command: file,
    args: [...words, "mcp", ...args],
    env: { ...childEnvironment(home), ...env },
    cwd: join(home, "app"),
    stderr: "pipe",
  });
  let printed = "";
  transport.stderr?.on("data", (chunk) => void (printed += String(chunk)));
  const client = new Client(
    { name, version: "1.0.0" },
    { capabilities: roots === undefined ? {} : { roots: { listChanged: true } } },
  );
  if (roots !== undefined) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: roots.map((uri) => ({ uri })),
    }));
  }
  const notified: string[] = [];
  client.fallbackNotificationHandler = async ({ method, params }) => {
    notified.push([method, params?.["uri"]].filter(Boolean).join(" "));
  };
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, stderr: () => printed, pid: transport.pid ?? 0, notified };
}

/** A process of `caliban mcp` that gets raw bytes. */
export interface RawServer extends JsonLinesServer {
  readonly initialize: () => Promise<void>;
}

export function startRaw(user: TestHome, args: readonly string[] = []): RawServer {
  const server = startJsonLines(user, ["mcp", ...args]);
  return {
    ...server,
    initialize: async () => {
      await server.ask("init", "initialize", INITIALIZE);
      server.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    },
  };
}

export const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "raw", version: "1" },
};

/** A valid input of WriteMemoryTopic. */
export const TOPIC = {
  name: "pnpm",
  description: "we use pnpm",
  type: "project",
  body: "Never npm.",
};

/** Waits for a condition; the timeout of the test is the limit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}
