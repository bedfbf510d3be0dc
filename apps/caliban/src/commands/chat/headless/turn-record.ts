import {
  addUsage,
  type AgentEvent,
  type Message,
  NO_USAGE,
  type TurnOutcome,
  type Usage,
} from "@caliban/agent-core";
import { isRecord } from "@caliban/common";
import { type NoteReader, recalledTopics } from "../../../conversation/notes/note-reader.ts";
import type { Denial, TurnReport } from "./output/answer-output.ts";

/** Sums up the events of one turn. */
export interface TurnRecord {
  readonly observe: (event: AgentEvent) => void;
  readonly report: (outcome: TurnOutcome, facts: TurnFacts) => TurnReport;
}

/** What the events do not contain. */
type TurnFacts = Pick<TurnReport, "session" | "model" | "costUsd" | "durationMs" | "warnings">;

type ToolResultEvent = Extract<AgentEvent, { readonly type: "tool-result" }>;

/** Creates the record of one turn. The reader is that of the whole run. */
export function createTurnRecord(reader: NoteReader): TurnRecord {
  const inputs = new Map<string, unknown>();
  const denials: Denial[] = [];
  const memory = { saved: new Set<string>(), deleted: new Set<string>() };
  const recalled: string[] = [];
  const notes: string[] = [];
  let text = "";
  let turns = 0;
  let usage: Usage = NO_USAGE;
  // From the turn itself, such as an answer that was cut off at its limit.
  const notices: string[] = [];

  const addResult = ({ id, name, text: result, data, isError }: ToolResultEvent): void => {
    if (isError && textField(data, "code") === "DENIED") {
      const reason = textField(data, "message") ?? result;
      denials.push({ tool: name, input: inputs.get(id), reason });
    }
    notes.push(...reader.split(result).notes.map(({ address }) => address));
    const slug = textField(data, "slug");
    const change = TOPIC_CHANGES[name];
    if (!isError && change !== undefined && slug !== undefined) memory[change].add(slug);
  };

  const addNotes = (message: Message): void => {
    if (message.role !== "user") return;
    const { note = "" } = message;
    const found = reader.notesIn(note);
    recalled.push(...recalledTopics(note, found));
    notes.push(...found.map(({ address }) => address));
  };

  return {
    observe: (event) => {
      if (event.type === "step-start") turns += 1;
      if (event.type === "usage") usage = addUsage(usage, event.usage);
      if (event.type === "tool-call") inputs.set(event.id, event.input);
      if (event.type === "tool-result") addResult(event);
      if (event.type === "notice") notices.push(event.message);
      if (event.type === "message") {
        text = answerText(event.message) ?? text;
        addNotes(event.message);
      }
    },
    report: (outcome, { session, model, costUsd, durationMs, warnings }) => ({
      ...describeOutcome(outcome),
      text,
      session,
      model,
      usage,
      costUsd,
      turns,
      durationMs,
      denials,
      memory: {
        saved: [...memory.saved],
        deleted: [...memory.deleted],
        recalled,
        ...(notes.length === 0 ? {} : { notes }),
      },
      warnings: [...warnings, ...notices],
    }),
  };
}

/** Tools whose results name the topic that they changed. */
const TOPIC_CHANGES: Readonly<Record<string, "saved" | "deleted">> = {
  WriteMemoryTopic: "saved",
  DeleteMemoryTopic: "deleted",
};

function describeOutcome(outcome: TurnOutcome): Pick<TurnReport, "outcome" | "problem" | "code"> {
  if (outcome.kind === "failed") {
    const { message, code } = outcome.failure;
    return { outcome: outcome.kind, problem: message, code };
  }
  const problem = describeProblem(outcome);
  return { outcome: outcome.kind, ...(problem === undefined ? {} : { problem }) };
}

function describeProblem(
  outcome: Exclude<TurnOutcome, { readonly kind: "failed" }>,
): string | undefined {
  if ("message" in outcome) return outcome.message;
  if (outcome.kind === "interrupted") return "The turn was interrupted.";
  if (outcome.kind === "done") return undefined;
  const { maxSteps } = outcome;
  const requests = maxSteps === 1 ? "1 request" : `${maxSteps} requests`;
  return `The model was stopped after ${requests}, before it was done. Allow more with --max-turns.`;
}

function answerText(message: Message): string | undefined {
  if (message.role !== "assistant") return undefined;
  return message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}

function textField(data: unknown, name: string): string | undefined {
  const value = isRecord(data) ? data[name] : undefined;
  return typeof value === "string" ? value : undefined;
}
