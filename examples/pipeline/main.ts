// Learns from a finished session with your own model function.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pipeline from "@caliban/autonomous-memory";
import * as node from "@caliban/autonomous-memory/node";
import { createSessionId } from "@caliban/sessions";
import { createSessionWriter } from "@caliban/sessions/node";

// In your agent: a permanent directory.
const home = await mkdtemp(join(tmpdir(), "pipeline-"));
const [sessions, learned] = [join(home, "sessions"), join(home, "autonomous")];

const writer = createSessionWriter({
  id: createSessionId(Date.now(), Math.random),
  directory: async () => sessions,
  facts: { workspace: home, cwd: home, model: "any/model", version: "1.0.0" },
  now: Date.now,
  onFailure: console.error,
});
await writer.open();
writer.append({ type: "message", message: { role: "user", text: "We use pnpm, never npm." } });
await writer.close();

// Any function from a request to a text works. Without a key, rules answer instead of a model.
const { ANTHROPIC_API_KEY: key } = process.env;
const rules = pipeline.createRuleModel();
const model: pipeline.CompletionModel = {
  complete: (request) => (key === undefined ? rules.complete(request) : ask(request, key)),
  contextWindow: () => 200_000,
  extractor: { id: key === undefined ? "rules" : "claude-haiku-5-5", replaces: [] },
};

const store = await node.openPipelineStore({ path: join(home, "memories.sqlite") });
const report = await node.runPipeline({
  project: "app",
  trigger: "now",
  store,
  generations: node.createGenerations({ directory: learned }),
  sources: [node.calibanSource({ directory: sessions })],
  model,
  clock: node.systemClock(),
  settings: { ...pipeline.DEFAULT_PIPELINE_SETTINGS, minRolloutIdleHours: 0 },
  running: [],
  worker: "example",
});
store.close();
console.log(`${report.outcome}: ${report.sessionsRead} session, generation ${report.generation}`);

// The block for the start of the next prompt: pass it to `loadMemory` in `extraBlocks`.
const { body = "" } = await node.readGuidance({ directory: learned, maxTokens: 5_000 });
console.log(`for the next prompt: ${/We use pnpm[^.]*/.exec(body)?.[0]}`);

async function ask(
  { system, input, signal }: pipeline.CompletionRequest,
  apiKey: string,
): Promise<pipeline.Completion> {
  const messages = [{ role: "user", content: input }];
  const response = await fetch("https://api.anthropic.com/v1/messages", {
    method: "POST",
    headers: {
      "x-api-key": apiKey,
      "anthropic-version": "2023-06-01",
      "content-type": "application/json",
    },
    body: JSON.stringify({ model: "claude-haiku-5-5", max_tokens: 8_000, system, messages }),
    signal,
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  const { content } = (await response.json()) as { content: readonly { text?: string }[] };
  return { text: content.map(({ text = "" }) => text).join("") };
}
