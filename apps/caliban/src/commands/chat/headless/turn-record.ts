import type { AgentEvent, Message, TurnOutcome } from "@caliban/agent-core";
import { type NoteReader, recalledTopics } from "../../../conversation/notes/note-reader.ts";
import type { TurnReport } from "./output/answer-output.ts";
import { createWorkRecord } from "./work-record.ts";

/** Sums up the events of one turn. */
export interface TurnRecord {
  readonly observe: (event: AgentEvent) => void;
  readonly report: (outcome: TurnOutcome, facts: TurnFacts) => TurnReport;
}

/** What the events do not contain. */
type TurnFacts = Pick<TurnReport, "session" | "model" | "costUsd" | "durationMs" | "warnings">;

/** Creates the record of one turn. The reader is that of the whole run. */
export function createTurnRecord(reader: NoteReader): TurnRecord {
  const work = createWorkRecord(reader);
  const recalled: string[] = [];
  const noted: string[] = [];
  let text = "";
  let turns = 0;
  // From the turn itself, such as an answer that was cut off at its limit.
  const notices: string[] = [];

  const addNotes = (message: Message): void => {
    if (message.role !== "user") return;
    const { note = "" } = message;
    const found = reader.notesIn(note);
    recalled.push(...recalledTopics(note, found));
    noted.push(...found.map(({ address }) => address));
  };

  return {
    observe: (event) => {
      work.observe(event);
      if (event.type === "step-start") turns += 1;
      if (event.type === "notice") notices.push(event.message);
      if (event.type === "message") {
        text = answerText(event.message) ?? text;
        addNotes(event.message);
      }
    },
    report: (outcome, { session, model, costUsd, durationMs, warnings }) => {
      const notes = [...noted, ...work.notes];
      return {
        ...describeOutcome(outcome),
        text,
        session,
        model,
        usage: work.usage(),
        costUsd,
        turns,
        durationMs,
        denials: [...work.denials],
        memory: {
          saved: [...work.saved],
          deleted: [...work.deleted],
          recalled,
          ...(notes.length === 0 ? {} : { notes }),
        },
        warnings: [...warnings, ...notices],
      };
    },
  };
}

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
