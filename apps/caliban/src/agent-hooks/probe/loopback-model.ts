import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type ProbeProtocol, renderStream, type ScriptedAnswer } from "./scripted-answer.ts";

export interface LoopbackModelInput {
  readonly protocol: ProbeProtocol;
  /** Called twice by the model, in one request each. */
  readonly call: { readonly tool: string; readonly input: object };
}

/** A model on this machine that calls a tool twice and then says that it is done. */
export interface LoopbackModel {
  /** `http://127.0.0.1:port`, without a path. */
  readonly url: string;
  /** The bodies of the requests of the conversation, in order. Requests without the tool, such as for a title, are not part of it. */
  readonly requests: readonly string[];
  readonly close: () => Promise<void>;
}

const CALLS = 2;
const MAX_BODY_BYTES = 16 * 1024 ** 2;

export async function startLoopbackModel({
  protocol,
  call,
}: LoopbackModelInput): Promise<LoopbackModel> {
  const requests: string[] = [];
  const answerTo = (body: string): ScriptedAnswer => {
    if (!body.includes(JSON.stringify(call.tool))) return { kind: "text", text: "Probe" };
    requests.push(body);
    return requests.length <= CALLS
      ? { kind: "call", ...call, id: `call_probe_${requests.length}` }
      : { kind: "text", text: "Done." };
  };
  const server = createServer((incoming, outgoing) => {
    void serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await readBody(incoming);
    if (incoming.method !== "POST") return void outgoing.writeHead(404).end();
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    outgoing.end(renderStream(protocol, answerTo(body)));
  }
  server.listen(0, "127.0.0.1");
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve);
    server.once("error", reject);
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: async () =>
      await new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) throw new Error("the request is too long");
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString();
}
