import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { abbreviateHome, pathStyleOf, parseJson } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import type { ExitCode } from "../../../../../apps/caliban/src/exit-code.ts";
import { UsageError } from "../../../../../apps/caliban/src/usage-error.ts";
import { createConnection } from "../../serve/connection.ts";
import { HTTP_PATH, type HttpRefusal, refusalOf } from "./http-gate.ts";
import { createHttpSessions, type HttpSessions } from "./http-clients.ts";
import { openProject } from "../../../../../apps/caliban/src/commands/mcp/open-project.ts";
import { PROTOCOL_CODE } from "../../serve/protocol-error.ts";
import { decoded, MAX_MESSAGE_BYTES, readMessage } from "../../serve/read-message.ts";
import { createRequestQueue } from "../../serve/request-queue.ts";
import type { ServeInput } from "./serve-stdio.ts";
import { serverToken } from "./token-file.ts";
import { untilInterrupted } from "../../../../../apps/caliban/src/commands/mcp/serve.ts";

/** Nobody but this machine reaches it. */
const LOOPBACK_ADDRESS = "127.0.0.1";

/**
 * Serves any number of clients over HTTP on this machine, until a signal comes. What they asked for before is done to
 * its end.
 * @throws UsageError without a directory, for a port that is taken, or a token file that cannot be used
 */
export async function serveHttp(
  { invocation, isReadOnly, say }: ServeInput,
  port: number,
): Promise<ExitCode> {
  const { host } = invocation;
  if (invocation.workspace === undefined) {
    throw new UsageError(
      "--http needs --workspace DIR: clients over HTTP have no directory of their own",
    );
  }
  const interruption = untilInterrupted(host);
  const { path, token } = await serverToken(host);
  const open = await openProject(invocation, isReadOnly, say);
  const work = createRequestQueue(async () => undefined);
  const sessions = createHttpSessions(() =>
    createConnection({
      host,
      instructions: { isReadOnly, offBy: open.project.offBy },
      openProject: async () => open,
      work,
      say,
    }),
  );
  const server = await listen(port, (request, response, own) => {
    answer({ request, response, sessions }, { port: own, token }).catch((error: unknown) => {
      say(`a request failed: ${error instanceof Error ? error.message : String(error)}`);
      refuse(response, { ...INTERNAL, status: 500 });
    });
  });
  const shown = abbreviateHome(pathStyleOf(host.platform), path, host.home);
  say(
    `listening on http://${LOOPBACK_ADDRESS}:${portOf(server)}${HTTP_PATH}; the bearer token is in ${shown}`,
  );
  const code = await interruption.ended;
  server.close();
  await work.end();
  await nextTurn();
  await sessions.close();
  open.hub.stop();
  server.closeAllConnections();
  interruption.stop();
  return code;
}

const INTERNAL = {
  code: PROTOCOL_CODE.internalError,
  message: "Something is wrong in caliban itself; the server says on its stderr what.",
};

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly sessions: HttpSessions;
}

async function answer(
  { request, response, sessions }: Exchange,
  gate: { readonly port: number; readonly token: string },
): Promise<void> {
  const refusal = refusalOf(request, gate);
  if (refusal !== undefined) return refuse(response, refusal);
  const posted = request.method === "POST" ? await readPosted(request) : { body: undefined };
  if ("refusal" in posted) return refuse(response, posted.refusal);
  const problem = await sessions.handle({ request, response, body: posted.body });
  if (problem !== undefined) refuse(response, problem);
}

type Posted = { readonly body: unknown } | { readonly refusal: HttpRefusal };

/** One message, proven to be one. */
async function readPosted(request: IncomingMessage): Promise<Posted> {
  const bytes = await readBody(request, MAX_MESSAGE_BYTES);
  if (bytes === undefined) {
    const message = `The body has more than ${MAX_MESSAGE_BYTES} bytes, so it was not read. A topic has at most 262144: make it shorter, or split it.`;
    return { refusal: { status: 413, code: PROTOCOL_CODE.invalidRequest, message } };
  }
  const value = parseJson(decoded(bytes) ?? "");
  if (value === undefined) {
    const message = "The body is no JSON in UTF-8.";
    return { refusal: { status: 400, code: PROTOCOL_CODE.parseError, message } };
  }
  const read = readMessage(value);
  return "bad" in read ? { refusal: { status: 400, ...read.bad } } : { body: value };
}

function refuse(response: ServerResponse, refusal: HttpRefusal): void {
  const { status, code, message, headers = {} } = refusal;
  if (response.headersSent) {
    response.end();
    return;
  }
  const body = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } });
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(body);
}

/** Each may hold a body. */
const MOST_CONNECTIONS = 256;
/** On one machine nothing takes long, and whoever dawdles keeps a place from others, with a token or without. */
const PATIENCE = {
  headersTimeout: 3_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 500,
};

type Answerer = (request: IncomingMessage, response: ServerResponse, port: number) => void;

async function listen(port: number, answerer: Answerer): Promise<Server> {
  const server = createServer(PATIENCE, (request, response) =>
    answerer(request, response, portOf(server)),
  );
  server.maxConnections = MOST_CONNECTIONS;
  server.listen(port, LOOPBACK_ADDRESS);
  try {
    await once(server, "listening");
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const why = code === "EADDRINUSE" ? "it is in use" : `the system says ${code}`;
    throw new UsageError(`port ${port} cannot be used: ${why}; --http 0 picks a free one`);
  }
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Beyond this, a body that is too long is not even waited for, so that its sender hears why. */
const MOST_DISCARDED_BYTES: number = 32 * 1024 * 1024;

/** Reads the body of a request; `undefined` for one that is too long. */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part: Uint8Array = chunk;
    bytes += part.length;
    if (bytes > MOST_DISCARDED_BYTES) break;
    if (bytes > maxBytes) chunks.length = 0;
    else chunks.push(part);
  }
  return bytes > maxBytes ? undefined : Buffer.concat(chunks);
}
