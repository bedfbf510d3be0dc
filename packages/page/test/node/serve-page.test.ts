import { expect, it, onTestFinished } from "vitest";
import { type ServedPage, servePage } from "../../src/node/serve-page.ts";
import { memoryData, projectsOf, topicText } from "../memory-data.ts";

async function serve(more: { readonly idleMs?: number } = {}): Promise<ServedPage> {
  const served = await servePage({
    projects: projectsOf({ a1: memoryData() }),
    client: { script: "run()", style: "" },
    port: 0,
    idleMs: 60_000,
    describeError: (error) => (error instanceof Error ? error.message : undefined),
    report: () => undefined,
    ...more,
  });
  onTestFinished(served.close);
  return served;
}

function request(
  { url, token }: ServedPage,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return fetch(`${url}api/${path}`, { ...init, headers });
}

it("tells an open page about a change, and ends its events when it is closed", async () => {
  const served = await serve();
  const { body, headers } = await request(served, "events");
  expect(headers.get("content-type")).toBe("text/event-stream");
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe(": open\n\n");
  served.changed();
  expect((await reader?.read())?.value).toContain("event: changed");
  await served.close();
  expect(await reader?.read().catch(() => ({ done: true }))).toMatchObject({ done: true });
});

it("limits how many pages wait for events", async () => {
  const served = await serve();
  const answers = await Promise.all(Array.from({ length: 40 }, () => request(served, "events")));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(32);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(8);
});

it("creates another token with each start", async () => {
  const [one, other] = [await serve(), await serve()];
  expect(one.token).toMatch(/^[0-9a-f]{64}$/);
  expect((await request({ ...one, token: other.token }, "about")).status).toBe(401);
});

it("stops when no one uses it", async () => {
  const { idle } = await serve({ idleMs: 1 });
  expect(await idle).toBeUndefined();
});

it("answers a problem of the store with its message", async () => {
  const served = await serve();
  const body = JSON.stringify({ slug: "a/b", text: topicText("a", "b") });
  const answer = await request(served, "topic/save", { method: "POST", body });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({
    kind: "refused",
    message: expect.stringContaining("a/b"),
  });
});
