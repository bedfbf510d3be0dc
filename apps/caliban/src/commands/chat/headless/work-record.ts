import { addUsage, type AgentEvent, NO_USAGE, type Usage } from "@caliban/agent-core";
import { isRecord } from "@caliban/common";
import type { NoteReader } from "../../../conversation/notes/note-reader.ts";
import type { Denial } from "./output/answer-output.ts";

/** Sums up the requests and calls of the agent and of its subagents. */
export interface WorkRecord {
  readonly observe: (event: AgentEvent) => void;
  readonly usage: () => Usage;
  readonly denials: readonly Denial[];
  readonly saved: ReadonlySet<string>;
  readonly deleted: ReadonlySet<string>;
  /** The addresses of notes in results. */
  readonly notes: readonly string[];
}

type ToolResultEvent = Extract<AgentEvent, { readonly type: "tool-result" }>;

export function createWorkRecord(reader: NoteReader): WorkRecord {
  const inputs = new Map<string, unknown>();
  const denials: Denial[] = [];
  const memory = { saved: new Set<string>(), deleted: new Set<string>() };
  const notes: string[] = [];
  let usage: Usage = NO_USAGE;

  const addResult = (
    { name, text: result, data, isError }: ToolResultEvent,
    input: unknown,
  ): void => {
    if (isError && textField(data, "code") === "DENIED") {
      const reason = textField(data, "message") ?? result;
      denials.push({ tool: name, input, reason });
    }
    notes.push(...reader.split(result).notes.map(({ address }) => address));
    const slug = textField(data, "slug");
    const change = TOPIC_CHANGES[name];
    if (!isError && change !== undefined && slug !== undefined) memory[change].add(slug);
  };
  /** Ids of calls are only unique for one agent. */
  const observe = (event: AgentEvent, number = 0): void => {
    if (event.type === "subagent") observe(event.event, event.number);
    if (event.type === "usage") usage = addUsage(usage, event.usage);
    if (event.type === "tool-call") inputs.set(`${number} ${event.id}`, event.input);
    if (event.type === "tool-result") addResult(event, inputs.get(`${number} ${event.id}`));
  };
  return { observe: (event) => observe(event), usage: () => usage, denials, notes, ...memory };
}

/** Tools whose results name the topic that they changed. */
const TOPIC_CHANGES: Readonly<Record<string, "saved" | "deleted">> = {
  WriteMemoryTopic: "saved",
  DeleteMemoryTopic: "deleted",
};

function textField(data: unknown, name: string): string | undefined {
  const value = isRecord(data) ? data[name] : undefined;
  return typeof value === "string" ? value : undefined;
}
