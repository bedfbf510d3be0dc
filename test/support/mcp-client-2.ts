import { join } from "node:path";
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { childEnvironment } from "./child-environment.ts";
import { BIN, type TestHome } from "./run-caliban.ts";

/** The newest revision of the protocol. */
export const REVISION = "2026-07-28";

export interface Client2Input {
  readonly args?: readonly string[];
  readonly name?: string;
  readonly mode?: "auto" | "legacy";
  /** Answers a question to the user; a client without it cannot be asked. */
  readonly answer?: ((message: string) => Answer | Promise<Answer>) | undefined;
  /** Whether it shows pages of servers. */
  readonly showsApps?: boolean;
}

type Answer = "yes" | "no" | "decline" | "cancel";

export interface Client2 {
  readonly client: Client;
  /** The notifications that arrived, as method and address. */
  readonly notified: readonly string[];
}

/** Connects the client of version 2 of the SDK to a process of `caliban mcp` in `~/app`. */
export async function connectClient2(
  { home }: TestHome,
  input: Client2Input = {},
): Promise<Client2> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, "mcp", ...(input.args ?? [])],
    env: childEnvironment(home),
    cwd: join(home, "app"),
    stderr: "ignore",
  });
  return await connect(transport, input);
}

/** Connects the same client to a server over HTTP. */
export async function connectHttp2(
  { url, token }: { readonly url: string; readonly token: string },
  input: Client2Input = {},
): Promise<Client2> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  return await connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }), input);
}

const APPS = { mimeTypes: ["text/html;profile=mcp-app"] };

async function connect(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  { name = "client-2", mode = "auto", answer, showsApps = false }: Client2Input,
): Promise<Client2> {
  const options: ClientOptions = {
    capabilities: {
      ...(answer === undefined ? {} : { elicitation: { form: {} } }),
      ...(showsApps ? { extensions: { "io.modelcontextprotocol/ui": APPS } } : {}),
    },
    versionNegotiation: { mode },
  };
  const client = new Client({ name, version: "1.0.0" }, options);
  if (answer !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params: { message } }) => {
      const given = await answer(message);
      if (given === "decline" || given === "cancel") return { action: given };
      return { action: "accept", content: { allow: given === "yes" } };
    });
  }
  const notified: string[] = [];
  client.fallbackNotificationHandler = async ({ method, params }) => {
    notified.push([method, params?.["uri"]].filter(Boolean).join(" "));
  };
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, notified };
}
