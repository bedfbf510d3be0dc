import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** A meeting and the questions about it. */
export interface Meeting {
  readonly name: string;
  readonly turns: readonly MeetingTurn[];
  readonly questions: readonly MeetingQuestion[];
}

export type MeetingTurn = readonly [speaker: string, content: string];

export interface MeetingQuestion {
  readonly query: string;
  /** The numbers of the turns that answer it. */
  readonly gold: ReadonlySet<number>;
}

interface StoredMeeting {
  readonly turns: readonly MeetingTurn[];
  readonly questions: readonly {
    readonly query: string;
    readonly spans: readonly (readonly [number, number])[];
  }[];
}

/** Reads the meetings of QMSum in this repository. */
export function readMeetings(): readonly Meeting[] {
  return ["val", "test"].flatMap((split) => {
    const packed = readFileSync(join(import.meta.dirname, "qmsum", `${split}.jsonl.gz`));
    const lines = gunzipSync(packed).toString("utf8").trim().split("\n");
    return lines.map((line, n) => toMeeting(`${split}-${n}`, JSON.parse(line) as StoredMeeting));
  });
}

function toMeeting(name: string, { turns, questions }: StoredMeeting): Meeting {
  return {
    name,
    turns,
    questions: questions.map(({ query, spans }) => ({ query, gold: turnsOf(spans) })),
  };
}

function turnsOf(spans: readonly (readonly [number, number])[]): ReadonlySet<number> {
  return new Set(
    spans.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, at) => first + at),
    ),
  );
}
