import { createHash } from "node:crypto";
import type {
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import { createToolRunner, type PermissionPolicy } from "@caliban/agent-core";
import { findSecrets } from "@caliban/common/secrets";
import { createMapTopicStore } from "@caliban/memory";
import type { MemorySearch } from "@caliban/memory/search";
import { createMemoryTools } from "@caliban/tools-builtin";
import { createOfflineModel } from "../../src/offline/offline-model.ts";

interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a turn came to. */
interface Rehearsed {
  readonly answer: string;
  readonly calls: readonly Call[];
  readonly requests: number;
}

export interface Rehearsal {
  readonly say: (text: string, note?: string) => Promise<Rehearsed>;
  /** A new conversation with the same memory. */
  readonly again: () => Rehearsal;
  readonly slugs: () => Promise<readonly string[]>;
  readonly bodyOf: (slug: string) => Promise<string | undefined>;
}

export interface RehearsalInput {
  readonly files?: Readonly<Record<string, string>>;
  readonly policy?: Partial<PermissionPolicy>;
  readonly without?: readonly string[];
  readonly system?: string;
  /** What there is besides the notes; the notes alone when left out. */
  readonly search?: MemorySearch;
  /** Changes what tools answer, as another session would. */
  readonly onCall?: (call: Call, memory: Store) => Promise<void>;
}

type Store = ReturnType<typeof createMapTopicStore>;

const MOST_REQUESTS = 6;
const NOW_MS = Date.parse("2026-11-16T12:00:00Z");

/** The offline model with the real tools and the real runner; only the disk is left out. */
export function rehearse(input: RehearsalInput = {}): Rehearsal {
  const store = createMapTopicStore({
    sha256Hex: (text) => createHash("sha256").update(text).digest("hex"),
    now: () => NOW_MS,
    findSecrets,
    files: input.files ?? {},
  });
  return converse(input, store);
}

/** A stream to its end. */
export async function partsOf({
  stream,
}: LanguageModelV4StreamResult): Promise<readonly LanguageModelV4StreamPart[]> {
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

function converse(input: RehearsalInput, store: Store): Rehearsal {
  const { without = [], system = "", search, onCall } = input;
  const tools = createMemoryTools({ store, now: () => NOW_MS, search }).filter(
    ({ name }) => !without.includes(name),
  );
  const policy = { allow: [], ask: [], deny: [], mode: "default", ...input.policy } as const;
  const runner = createToolRunner({ tools, policy, notify: () => undefined });
  const model = createOfflineModel();
  const prompt: LanguageModelV4Message[] = [{ role: "system", content: system }];

  const request = async (): Promise<readonly LanguageModelV4StreamPart[]> => {
    const offered = tools.map(({ name, description, inputSchema }) => ({
      type: "function" as const,
      name,
      description,
      inputSchema,
    }));
    return await partsOf(await model.doStream({ prompt, tools: offered }));
  };

  const run = async (id: string, call: Call): Promise<void> => {
    await onCall?.(call, store);
    const { text: value, isError = false } = await runner.run(call);
    const output = { type: isError ? "error-text" : "text", value } as const;
    const { name: toolName, input: given } = call;
    prompt.push(
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: id, toolName, input: given }],
      },
      { role: "tool", content: [{ type: "tool-result", toolCallId: id, toolName, output }] },
    );
  };

  return {
    say: async (said, note) => {
      const texts = note === undefined ? [said] : [said, note];
      prompt.push({ role: "user", content: texts.map((text) => ({ type: "text", text })) });
      const calls: Call[] = [];
      for (let requests = 1; requests <= MOST_REQUESTS; requests++) {
        // oxlint-disable-next-line no-await-in-loop -- each request builds on the one before
        const parts = await request();
        const wanted = parts.flatMap((part) => (part.type === "tool-call" ? part : []));
        const answer = parts
          .flatMap((part) => (part.type === "text-delta" ? part.delta : []))
          .join("");
        if (wanted.length === 0) {
          prompt.push({ role: "assistant", content: [{ type: "text", text: answer }] });
          return { answer, calls, requests };
        }
        for (const { toolCallId, toolName: name, input: json } of wanted) {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tools check it
          const call = { name, input: JSON.parse(json) as Call["input"] };
          calls.push(call);
          // oxlint-disable-next-line no-await-in-loop
          await run(toolCallId, call);
        }
      }
      throw new Error(`no answer to ${JSON.stringify(said)} after ${MOST_REQUESTS} requests`);
    },
    again: () => converse(input, store),
    slugs: async () => (await store.list()).topics.map(({ slug }) => slug),
    bodyOf: async (slug) => (await store.read(slug))?.topic.body.trim(),
  };
}
