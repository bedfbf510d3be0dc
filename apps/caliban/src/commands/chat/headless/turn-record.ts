import {
  addUsage,
  type AgentEvent,
  type Message,
  NO_USAGE,
  type TurnOutcome,
  type Usage,
} from "@caliban/agent-core";
import { recalledSlugs } from "@caliban/memory";
import type { Denial, ResultLine } from "./output/result-line.ts";

/** What the events of one turn add up to. */
export interface TurnRecord {
  readonly observe: (event: AgentEvent) => void;
  readonly resultOf: (outcome: TurnOutcome, facts: TurnFacts) => ResultLine;
}

/** What the events do not tell. */
type TurnFacts = Pick<ResultLine, "session" | "model" | "durationMs" | "warnings">;

type ToolResultEvent = Extract<AgentEvent, { readonly type: "tool-result" }>;

/** Begins a record; one for each turn. */
export function createTurnRecord(): TurnRecord {
  const inputs = new Map<string, unknown>();
  const denials: Denial[] = [];
  const memory = { saved: new Set<string>(), deleted: new Set<string>() };
  const recalled: string[] = [];
  let text = "";
  let turns = 0;
  let usage: Usage = NO_USAGE;
  // What came up in the turn itself, such as an answer that was cut at its limit.
  const noticed: string[] = [];

  const addResult = ({ id, name, text: told, data, isError }: ToolResultEvent): void => {
    if (isError && field(data, "code") === "DENIED") {
      const reason = field(data, "sentence") ?? told;
      denials.push({ tool: name, input: inputs.get(id), reason });
    }
    const slug = field(data, "slug");
    const changed = CHANGES[name];
    if (!isError && changed !== undefined && slug !== undefined) memory[changed].add(slug);
  };

  return {
    observe: (event) => {
      if (event.type === "step-start") turns += 1;
      if (event.type === "usage") usage = addUsage(usage, event.usage);
      if (event.type === "tool-call") inputs.set(event.id, event.input);
      if (event.type === "tool-result") addResult(event);
      if (event.type === "notice") noticed.push(event.sentence);
      if (event.type === "message") {
        text = textOf(event.message) ?? text;
        recalled.push(...recalledIn(event.message));
      }
    },
    resultOf: (outcome, { session, model, durationMs, warnings }) => ({
      type: "result",
      ...shownOutcome(outcome),
      text,
      session,
      model,
      usage,
      turns,
      durationMs,
      denials,
      memory: { saved: [...memory.saved], deleted: [...memory.deleted], recalled },
      warnings: [...warnings, ...noticed],
    }),
  };
}

/** Tools whose results name a topic that is another one now. */
const CHANGES: Readonly<Record<string, "saved" | "deleted">> = {
  WriteMemoryTopic: "saved",
  DeleteMemoryTopic: "deleted",
};

function shownOutcome(outcome: TurnOutcome): Pick<ResultLine, "outcome" | "problem" | "code"> {
  if (outcome.kind === "failed") {
    const { message: sentence, code } = outcome.failure;
    return { outcome: outcome.kind, problem: sentence, code };
  }
  const problem = problemOf(outcome);
  return { outcome: outcome.kind, ...(problem === undefined ? {} : { problem }) };
}

function problemOf(outcome: Exclude<TurnOutcome, { readonly kind: "failed" }>): string | undefined {
  if (outcome.kind === "refused") return outcome.sentence;
  if (outcome.kind === "interrupted") return "The turn was interrupted.";
  if (outcome.kind === "done") return undefined;
  const { maxSteps } = outcome;
  const requests = maxSteps === 1 ? "1 request" : `${maxSteps} requests`;
  return `The model was stopped after ${requests}, before its end; --max-turns allows more.`;
}

/** The text of an answer; `undefined` for a message that is none. */
function textOf(message: Message): string | undefined {
  if (message.role !== "assistant") return undefined;
  return message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}

function recalledIn(message: Message): readonly string[] {
  return message.role === "user" ? recalledSlugs(message.note ?? "") : [];
}

function field(data: unknown, name: string): string | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const value: unknown = Reflect.get(data, name);
  return typeof value === "string" ? value : undefined;
}
