import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Answer, Rendered, RenderInput } from "./answer.ts";
import { anthropicError, renderAnthropicMessages } from "./anthropic-messages.ts";
import { openAiError, renderChatCompletions } from "./chat-completions.ts";
import { geminiError, renderGemini } from "./gemini.ts";
import { renderOpenAiResponses } from "./openai-responses.ts";
import type { Protocol, ReceivedRequest } from "./received-request.ts";

/** Answers in order, or a function of each request. */
export type Script =
  | readonly Answer[]
  | ((request: ReceivedRequest, number: number) => Answer | Promise<Answer>);

export interface ModelServerInput {
  readonly script: Script;
  /** Starts a list again at its end. Otherwise a request beyond the end gets an error. */
  readonly repeat?: boolean;
  /** 0, the default, chooses a free port. */
  readonly port?: number;
}

export interface ModelServer {
  /** `http://127.0.0.1:port`, without a path. */
  readonly url: string;
  /** The base URL of a protocol, for the settings of a provider. */
  readonly baseUrl: (protocol: Protocol) => string;
  /** The requests received so far, in order. */
  readonly requests: readonly ReceivedRequest[];
  /** Closes all connections, including those that hang. */
  readonly close: () => Promise<void>;
}

/** Starts a local server that speaks the streaming protocols of model providers and sends scripted answers. */
export async function startModelServer(input: ModelServerInput): Promise<ModelServer> {
  const requests: ReceivedRequest[] = [];
  const connections = new Map<Socket, number>();
  const server = createServer((incoming, outgoing) => {
    void serve(incoming, outgoing).catch((error: unknown) => {
      outgoing.destroy(error instanceof Error ? error : undefined);
    });
  });
  server.on("connection", (socket) => {
    connections.set(socket, connections.size + 1);
  });

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const protocol = protocolOf(incoming.url ?? "");
    const text = await readBody(incoming);
    if (protocol === undefined || incoming.method !== "POST") {
      outgoing.writeHead(404).end(`nothing is served at ${incoming.url}`);
      return;
    }
    const request: ReceivedRequest = {
      protocol,
      method: incoming.method,
      path: incoming.url ?? "",
      headers: incoming.headers,
      text,
      body: parseBody(text),
      arrivedAt: Date.now(),
      connection: connections.get(incoming.socket) ?? 0,
      closed: new Promise((resolve) => {
        outgoing.once("close", () => {
          resolve(outgoing.writableFinished ? "answered" : "gone");
        });
      }),
    };
    requests.push(request);
    const number = requests.length;
    await reply({ request, outgoing, number, answer: await nextAnswer(input, request, number) });
  }

  server.listen(input.port ?? 0, "127.0.0.1");
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve);
    server.once("error", reject);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    baseUrl: (protocol) => `${url}${protocol === "gemini" ? "/v1beta" : "/v1"}`,
    requests,
    close: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      });
    },
  };
}

async function nextAnswer(
  { script, repeat = false }: ModelServerInput,
  request: ReceivedRequest,
  number: number,
): Promise<Answer> {
  if (typeof script === "function") return await script(request, number);
  const index = repeat ? (number - 1) % script.length : number - 1;
  return script[index] ?? { status: 500, error: `the script has no answer number ${number}` };
}

interface Reply {
  readonly request: ReceivedRequest;
  readonly outgoing: ServerResponse;
  readonly answer: Answer;
  readonly number: number;
}

async function reply({ request, outgoing, answer, number }: Reply): Promise<void> {
  if (answer.hang === true) return;
  const { render, error } = PROTOCOLS[request.protocol];
  if (answer.status !== undefined && answer.rawBody === undefined) {
    outgoing.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    outgoing.end(JSON.stringify(error(answer.status, answer.error ?? `error ${answer.status}`)));
    return;
  }
  const rendered = render({ answer, model: modelOf(request), number });
  const isStream = isStreaming(request);
  outgoing.writeHead(answer.status ?? 200, {
    "content-type": answer.contentType ?? (isStream ? "text/event-stream" : "application/json"),
    ...(answer.encoding !== undefined && { "content-encoding": answer.encoding }),
    ...answer.headers,
  });
  outgoing.flushHeaders();
  await writeBody(outgoing, answer, piecesOf(answer, rendered, isStream));
}

function piecesOf(answer: Answer, rendered: Rendered, isStream: boolean): readonly string[] {
  if (answer.rawBody !== undefined) return [answer.rawBody];
  if (!isStream) return [JSON.stringify(rendered.whole)];
  const { events, closingEvents } = rendered;
  if (answer.withoutEnd === true) return events.slice(0, events.length - closingEvents);
  // Real providers send nothing after an error.
  return answer.errorEvent === undefined ? events : events.slice(0, events.length - closingEvents);
}

async function writeBody(
  outgoing: ServerResponse,
  answer: Answer,
  pieces: readonly string[],
): Promise<void> {
  const limit = answer.cutAfterBytes ?? answer.hangAfterBytes ?? Infinity;
  let sent = 0;
  for (const chunk of chunksOf(answer, pieces)) {
    if (answer.slowMs !== undefined) await pause(answer.slowMs);
    if (outgoing.destroyed) return;
    const part = chunk.subarray(0, limit - sent);
    sent += part.length;
    await new Promise<void>((resolve) => {
      outgoing.write(part, () => {
        resolve();
      });
    });
    if (sent >= limit) break;
  }
  if (answer.hangAfterBytes !== undefined) return;
  if (answer.cutAfterBytes !== undefined && answer.cleanly !== true) {
    // Resets the connection only after the bytes above were sent.
    await pause(5);
    outgoing.destroy();
    return;
  }
  outgoing.end();
}

function chunksOf(answer: Answer, pieces: readonly string[]): readonly Uint8Array[] {
  const { encoding, chunkBytes } = answer;
  const chunks = pieces.map((piece) => Buffer.from(piece));
  if (encoding === undefined && chunkBytes === undefined) return chunks;
  const joined = Buffer.concat(chunks);
  const whole = encoding === undefined ? joined : COMPRESS[encoding](joined);
  const size = chunkBytes ?? whole.length;
  return Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
    whole.subarray(index * size, (index + 1) * size),
  );
}

const COMPRESS = { gzip: gzipSync, br: brotliCompressSync };

const PROTOCOLS: Readonly<
  Record<
    Protocol,
    {
      readonly render: (input: RenderInput) => Rendered;
      readonly error: (status: number, message: string) => unknown;
    }
  >
> = {
  anthropic: { render: renderAnthropicMessages, error: anthropicError },
  "openai-responses": { render: renderOpenAiResponses, error: openAiError },
  "chat-completions": { render: renderChatCompletions, error: openAiError },
  gemini: { render: renderGemini, error: geminiError },
};

function protocolOf(path: string): Protocol | undefined {
  const [name = ""] = path.split("?");
  if (name.endsWith("/messages")) return "anthropic";
  if (name.endsWith("/responses")) return "openai-responses";
  if (name.endsWith("/chat/completions")) return "chat-completions";
  return /\/models\/.+:(?:stream)?[gG]enerateContent$/.test(name) ? "gemini" : undefined;
}

function isStreaming({ protocol, body, path }: ReceivedRequest): boolean {
  return protocol === "gemini" ? path.includes(":stream") : body["stream"] === true;
}

function modelOf({ protocol, body, path }: ReceivedRequest): string {
  if (protocol !== "gemini") return String(body["model"]);
  return decodeURIComponent(/\/models\/(.+):/.exec(path)?.[1] ?? "");
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString("utf8");
}

function parseBody(text: string): ReceivedRequest["body"] {
  try {
    return JSON.parse(text) as ReceivedRequest["body"];
  } catch {
    // Tests that send invalid JSON look at the text.
    return {};
  }
}
