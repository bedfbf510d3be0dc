import { createHash } from "node:crypto";
import type { LanguageModelV4StreamPart, LanguageModelV4StreamResult } from "@ai-sdk/provider";
import {
  createToolRunner,
  type Message,
  type PermissionPolicy,
  runTurn,
  type Tool,
} from "@caliban/agent-core";
import { findSecrets } from "@caliban/common/secrets";
import { createMapTopicStore } from "@caliban/memory";
import type { MemorySearch } from "@caliban/memory/search";
import { createMemoryTools } from "@caliban/tools-builtin";
import { createOfflineModel } from "../../src/offline/offline-model.ts";

interface Call {
  readonly name: string;
  readonly input: unknown;
}

/** The outcome of a turn. */
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
  readonly extraTools?: readonly Tool[];
  /** What can be searched; the topics alone when left out. */
  readonly search?: MemorySearch;
  /** Changes memory before a call, as another session would. */
  readonly onCall?: (call: Call, memory: Store) => Promise<void>;
}

type Store = ReturnType<typeof createMapTopicStore>;

const MODEL_NAME = "offline/rehearsal";
const MAX_REQUESTS = 7;
const NOW_MS = Date.parse("2026-11-16T12:00:00Z");

/** The offline model with the real loop, the real tools and the real permissions; only the disk is left out. */
export function rehearse(input: RehearsalInput = {}): Rehearsal {
  const store = createMapTopicStore({
    sha256Hex: (text) => createHash("sha256").update(text).digest("hex"),
    now: () => NOW_MS,
    findSecrets,
    files: input.files ?? {},
  });
  return converse(input, store);
}

/** Collects a stream. */
export async function partsOf({
  stream,
}: LanguageModelV4StreamResult): Promise<readonly LanguageModelV4StreamPart[]> {
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

function converse(input: RehearsalInput, store: Store): Rehearsal {
  const { without = [], system = "", search, onCall, extraTools = [] } = input;
  const tools = [...createMemoryTools({ store, now: () => NOW_MS, search }), ...extraTools].filter(
    ({ name }) => !without.includes(name),
  );
  const policy = { allow: [], ask: [], deny: [], mode: "default", ...input.policy } as const;
  const runner = createToolRunner({ tools, policy });
  const model = createOfflineModel();
  let messages: readonly Message[] = [];
  return {
    say: async (text, note) => {
      const calls: Call[] = [];
      let requests = 0;
      // Stored and read back, as a session is between two turns.
      const stored: readonly Message[] = JSON.parse(JSON.stringify(messages));
      const turn = await runTurn({
        model,
        modelName: MODEL_NAME,
        system,
        tools,
        messages: [...stored, { role: "user", text, note }],
        maxSteps: MAX_REQUESTS,
        runTool: async (call) => {
          await onCall?.(call, store);
          return await runner.run(call);
        },
        emit: (event) => {
          if (event.type === "tool-call") calls.push({ name: event.name, input: event.input });
          if (event.type === "step-start") requests += 1;
        },
      });
      ({ messages } = turn);
      if (turn.outcome.kind !== "done") {
        throw new Error(`the turn for ${JSON.stringify(text)} ended with ${turn.outcome.kind}`);
      }
      return { answer: lastText(messages), calls, requests };
    },
    again: () => converse(input, store),
    slugs: async () => (await store.list()).topics.map(({ slug }) => slug),
    bodyOf: async (slug) => (await store.read(slug))?.topic.body.trim(),
  };
}

function lastText(messages: readonly Message[]): string {
  const last = messages.findLast(({ role }) => role === "assistant");
  if (last?.role !== "assistant") return "";
  return last.parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("");
}
