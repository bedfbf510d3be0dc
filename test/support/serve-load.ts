import { createHash } from "node:crypto";
import { Agent, request as httpRequest } from "node:http";

export interface LoadInput {
  /** One or several servers of the same store; clients take turns. */
  readonly urls: readonly string[];
  readonly tokens: readonly string[];
  readonly store: string;
  readonly clients: number;
  readonly memories: number;
  /** Whether a client goes on after so many requests. */
  readonly goesOn: (requests: number) => boolean;
}

export interface LoadResult {
  readonly requests: number;
  /** How often each status was answered. */
  readonly statuses: Readonly<Record<number, number>>;
  /** How many increments of each memory were acknowledged, and what the memory counts. */
  readonly counters: readonly { readonly acknowledged: number; readonly counted: number }[];
}

/**
 * Many clients increment counters at once: each reads a memory, and writes the next number if the memory still has what
 * was read. In between they list memories and versions.
 */
export async function runLoad(input: LoadInput): Promise<LoadResult> {
  const { urls, tokens, store, clients, memories } = input;
  const statuses: Record<number, number> = {};
  const acknowledged = Array.from({ length: memories }, () => 0);
  const send = async (client: number, agent: Agent, sent: SentRequest): Promise<Answer> => {
    const url = `${urls[client % urls.length]}/v1/memory_stores/${store}${sent.path}`;
    const answer = await sendJson(url, { ...sent, agent, token: tokens[client % tokens.length] });
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    return answer;
  };
  const first = new Agent({ keepAlive: true });
  const ids: string[] = [];
  for (let index = 0; index < memories; index++) {
    const body = { path: `/counters/${index}.md`, content: render(0, 0) };
    const created = await send(0, first, { method: "POST", path: "/memories", body });
    ids.push(String(created.body["id"]));
  }
  const runClient = async (client: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let own = 0; input.goesOn(own);) {
      const index = (client + own) % memories;
      const path = `/memories/${ids[index]}`;
      const read = await send(client, agent, { method: "GET", path });
      const content = String(read.body["content"]);
      const next = render(countIn(content) + 1, client);
      const precondition = { type: "content_sha256", content_sha256: sha256(content) };
      const body = { content: next, precondition };
      const written = await send(client, agent, { method: "POST", path, body });
      if (written.status === 200) acknowledged[index] = (acknowledged[index] ?? 0) + 1;
      own += 2;
      if ((client + own) % 10 === 0) {
        await send(client, agent, { method: "GET", path: "/memories?path_prefix=/counters/" });
        own += 1;
      }
      if ((client + own) % 97 === 0) {
        await send(client, agent, { method: "GET", path: "/memory_versions?limit=5" });
        own += 1;
      }
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)));
  const counters = [];
  for (const [index, id] of ids.entries()) {
    const { body } = await send(0, first, { method: "GET", path: `/memories/${id}` });
    const counted = countIn(String(body["content"]));
    counters.push({ acknowledged: acknowledged[index] ?? 0, counted });
  }
  first.destroy();
  const requests = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  return { requests, statuses, counters };
}

function render(count: number, client: number): string {
  return `The file \`src/counter.ts\` exports ${count}, by ${client}.\n`;
}

function countIn(content: string): number {
  return Number(/exports (\d+)/.exec(content)?.[1] ?? Number.NaN);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function sendJson(
  url: string,
  {
    method,
    body,
    agent,
    token,
  }: SentRequest & { readonly agent: Agent; readonly token: string | undefined },
): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  return await new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += String(chunk)));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as Answer["body"] }),
      );
      response.on("error", reject);
    });
    request.on("error", reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
