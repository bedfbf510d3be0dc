import type { FinishedToolCall } from "@caliban/agent-core";
import { isRecord } from "@caliban/common";
import { type Note, noteEffect, type NoteStep, type UseEvent } from "@caliban/memory";

/** Notices how memory is used, until it is stored after the turn. */
export interface NoteUses {
  readonly onShown: (note: Note) => void;
  readonly onCall: (finished: FinishedToolCall) => void;
  /** Another conversation continues: what was shown before it is not followed any further. */
  readonly restart: () => void;
  /** Returns the uses since the last time. */
  readonly take: () => readonly UseEvent[];
}

interface WatchedNote {
  readonly address: string;
  readonly text: string;
  /** How many steps were made before it was shown. */
  readonly at: number;
}

const MAX_STEPS = 200;
const MAX_WATCHED = 50;
const MAX_TEXT = 100_000;

/** Creates what counts the uses of memory in a session. */
export function createNoteUses(nowMs: () => number): NoteUses {
  let events: UseEvent[] = [];
  let watched: readonly WatchedNote[] = [];
  let steps: readonly NoteStep[] = [];
  let droppedSteps = 0;

  const add = (address: string, kind: UseEvent["kind"]): void => {
    events.push({ address, kind, atMs: nowMs() });
  };
  const judge = (): void => {
    watched = watched.filter(({ address, text, at }) => {
      const split = Math.max(0, at - droppedSteps);
      const effect = noteEffect({ text, before: steps.slice(0, split), after: steps.slice(split) });
      if (effect === "unknown") return true;
      add(address, effect);
      return false;
    });
  };
  return {
    onShown: ({ text, source: { address } }) => {
      add(address, "shown");
      watched = [...watched, { address, text, at: steps.length + droppedSteps }].slice(
        -MAX_WATCHED,
      );
    },
    onCall: (finished) => {
      for (const { address, kind } of memoryUses(finished)) add(address, kind);
      const step = toStep(finished);
      if (step === undefined) return;
      droppedSteps += Math.max(0, steps.length + 1 - MAX_STEPS);
      steps = [...steps, step].slice(-MAX_STEPS);
    },
    restart: () => {
      judge();
      watched = [];
      steps = [];
      droppedSteps = 0;
    },
    take: () => {
      judge();
      const taken = events;
      events = [];
      return taken;
    },
  };
}

/** A call that changed something or ran a command. */
function toStep({ tool, call, result }: FinishedToolCall): NoteStep | undefined {
  const { command, old_string, new_string, content } = fieldsOf(call.input);
  if (tool.name === "Bash") return { kind: "command", command: textOf(command) };
  if (result.isError === true) return undefined;
  if (tool.name === "Edit")
    return { kind: "change", before: textOf(old_string), after: textOf(new_string) };
  return tool.name === "Write" ? { kind: "change", before: "", after: textOf(content) } : undefined;
}

/** Memory that the agent read or found itself. */
function memoryUses({
  tool,
  call,
  subject,
  result,
}: FinishedToolCall): readonly Pick<UseEvent, "address" | "kind">[] {
  if (result.isError === true) return [];
  const { slug, topics } = fieldsOf(result.data);
  if (tool.name === "Read" && subject?.startsWith("memory://") === true)
    return [{ address: subject, kind: "read" }];
  if (tool.name === "ReadMemoryTopic" && typeof slug === "string")
    return [
      { address: `memory://${isUserScope(call.input) ? "user/" : ""}topics/${slug}`, kind: "read" },
    ];
  if (tool.name !== "MemorySearch" || !Array.isArray(topics)) return [];
  return topics.flatMap((topic: unknown) => {
    const { address } = fieldsOf(topic);
    return typeof address === "string" ? [{ address, kind: "found" } as const] : [];
  });
}

function isUserScope(input: unknown): boolean {
  return fieldsOf(input)["scope"] === "user";
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, MAX_TEXT) : "";
}
