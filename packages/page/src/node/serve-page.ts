import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRateLimit, requestHead, SECURITY_HEADERS } from "@caliban/common/http";
import { createConnections, randomHex } from "@caliban/common/node";
import { HTTP_TIMEOUTS, listen, portOf, readJsonBody } from "@caliban/common/node/http";
import type { PageProjects } from "../projects.ts";
import { problem, type PageAnswer } from "../routes/page-request.ts";
import { routeProject } from "../routes/route-project.ts";
import { checkHead, MAX_BODY_BYTES, type Refusal, TOO_LARGE } from "../safety/gate.ts";
import { type PageClient, renderDocument } from "../safety/page-document.ts";
import { createEventStreams, type EventStreams } from "./event-streams.ts";
import { PageError } from "./page-error.ts";

export interface ServePageInput {
  readonly projects: PageProjects;
  readonly client: PageClient;
  /** 0 picks a free port. */
  readonly port: number;
  /** Without a request for so long, the page stops. */
  readonly idleMs: number;
  /** The message for an expected error; `undefined` for a bug. */
  readonly describeError: (error: unknown) => string | undefined;
  /** Shows one line to the user. */
  readonly report: (line: string) => void;
}

/** A page that is being served. */
export interface ServedPage {
  /** `http://127.0.0.1:50123/`, without the token. */
  readonly url: string;
  /** The secret of this start. It belongs into the fragment of the address, which is never sent. */
  readonly token: string;
  /** Tells open pages that something changed. */
  readonly changed: () => void;
  /** Resolves when the page was not used for a long time. */
  readonly idle: Promise<void>;
  readonly close: () => Promise<void>;
}

/** Only this machine can reach it. */
const LOOPBACK_ADDRESS = "127.0.0.1";

const TOKEN_BYTES = 32;

/**
 * Serves the page on this machine.
 * @throws PageError for a port that is not available
 */
export async function servePage(input: ServePageInput): Promise<ServedPage> {
  const token = randomHex(TOKEN_BYTES);
  const events = createEventStreams();
  const idle = createIdleTimer();
  const document = renderDocument({ client: input.client, sha256: sha256Base64 });
  const limits = createLimits();
  const connections = createConnections();
  const server = createServer(HTTP_TIMEOUTS, (request, response) => {
    const gate = checkHead(requestHead(request), { port: portOf(server), isToken: isSame(token) });
    if (gate.kind === "refused") return refuseHead(response, gate, limits);
    if (gate.kind === "document") return sendDocument(response, document);
    connections.trust(request.socket);
    idle.restart();
    if (!limits.request()) return send(response, problem(429, "too many requests; wait a moment"));
    const answered = answerApi({ request, response, path: gate.path, events }, input);
    answered.catch((error: unknown) => {
      input.report(`request failed: ${error instanceof Error ? error.message : String(error)}`);
      send(response, problem(500, "this is a bug in caliban, please report it"));
    });
  });
  server.on("connection", connections.add);
  const reason = await listen(server, { port: input.port, host: LOOPBACK_ADDRESS });
  if (reason !== undefined) {
    const message = `cannot use port ${input.port}: ${reason}; without --port a free one is picked`;
    throw new PageError("PORT_UNAVAILABLE", message);
  }
  idle.start(input.idleMs);
  return {
    url: `http://${LOOPBACK_ADDRESS}:${portOf(server)}/`,
    token,
    changed: events.send,
    idle: idle.ended,
    close: async () => {
      idle.stop();
      events.close();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Limits {
  readonly request: () => boolean;
  readonly refusal: () => boolean;
}

/** Far more than one user with several tabs causes. Requests without the token have a limit of their own. */
function createLimits(): Limits {
  return {
    request: createRateLimit({ burst: 200, perSecond: 50, nowMs: monotonicMs }),
    refusal: createRateLimit({ burst: 100, perSecond: 20, nowMs: monotonicMs }),
  };
}

function monotonicMs(): number {
  return performance.now();
}

interface ApiExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly events: EventStreams;
}

async function answerApi(exchange: ApiExchange, input: ServePageInput): Promise<void> {
  const { request, response, path, events } = exchange;
  const method = request.method === "POST" ? "POST" : "GET";
  if (method === "GET" && path === "events") {
    if (!events.add(response)) send(response, problem(429, "too many open pages"));
    return;
  }
  const body =
    method === "POST" ? await readJsonBody(request, MAX_BODY_BYTES) : { value: undefined };
  if ("problem" in body) return send(response, bodyProblem(body.problem));
  const query = Object.fromEntries(new URL(request.url ?? "/", "http://page").searchParams);
  try {
    const answered = await routeProject({ method, path, query, body: body.value }, input.projects);
    send(response, answered, request.headers["if-none-match"]);
  } catch (error) {
    const message = input.describeError(error);
    if (message === undefined) throw error;
    send(response, problem(422, message));
  }
}

function bodyProblem(kind: "too-large" | "not-json"): PageAnswer {
  return kind === "too-large"
    ? problem(TOO_LARGE.status, TOO_LARGE.message)
    : problem(400, "the request is not valid JSON; nothing was changed");
}

function refuseHead(response: ServerResponse, { status, message }: Refusal, limits: Limits): void {
  // Its body is not read, so nothing else can come on this connection.
  response.setHeader("connection", "close");
  if (!limits.refusal()) return send(response, problem(429, "too many refused requests"));
  send(response, problem(status, message));
  if (status === TOO_LARGE.status) response.req.resume();
}

/** A page that has this answer already gets it not again: lists are long, and rarely change. */
function send(response: ServerResponse, { status, body }: PageAnswer, known?: string): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  const json = JSON.stringify(body);
  const etag = `"${createHash("sha1").update(json).digest("base64url")}"`;
  const isKnown = status === 200 && known === etag;
  const headers = { ...SECURITY_HEADERS, "content-type": "application/json; charset=utf-8", etag };
  response.writeHead(isKnown ? 304 : status, headers);
  response.end(isKnown ? undefined : json);
}

function sendDocument(
  response: ServerResponse,
  { html, policy }: ReturnType<typeof renderDocument>,
): void {
  response.writeHead(200, {
    ...SECURITY_HEADERS,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `${policy}; frame-ancestors 'none'`,
  });
  response.end(html);
}

interface IdleTimer {
  readonly ended: Promise<void>;
  readonly start: (idleMs: number) => void;
  readonly restart: () => void;
  readonly stop: () => void;
}

function createIdleTimer(): IdleTimer {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  return {
    ended,
    start: (idleMs) => {
      timer = setTimeout(resolve, idleMs);
    },
    restart: () => void timer?.refresh(),
    stop: () => clearTimeout(timer),
  };
}

/** Compares hashes, which have one length, in constant time. */
function isSame(token: string): (given: string) => boolean {
  const expected = sha256(token);
  return (given) => timingSafeEqual(sha256(given), expected);
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

export function sha256Base64(text: string): string {
  return sha256(text).toString("base64");
}
