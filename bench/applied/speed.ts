import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { readMeetings } from "../search/meetings.ts";
import type { Table } from "../search/table.ts";
import { generateTopics, topicFile } from "../search/topic-texts.ts";
import { sessionsOf } from "./case.ts";
import { SHOP } from "./cases/shop.ts";
import { decoySessions } from "./decoys.ts";
import { openBenchProject } from "./project.ts";
import { runCases } from "./run-cases.ts";

const TOPICS = 10_000;
/** The first ones load the code. */
const WARM_UP = 2;
const ROUNDS = 20;
const MAX_MEDIAN_MS = 1;
const MAX_P99_MS = 5;

/** Measures how long a note takes once the index is loaded. */
export async function benchNoteSpeed(): Promise<Table> {
  const sessions = sessionsOf({ name: "a shop", cases: SHOP, decoys: [] }, decoySessions);
  const project = await openBenchProject({
    sessions,
    writeTopics: (directory) => {
      for (const topic of generateTopics(readMeetings(), TOPICS))
        writeFileSync(join(directory, `${topic.slug}.md`), topicFile(topic));
    },
  });
  try {
    const times: number[] = [];
    const timed = {
      ...project.search,
      note: async (request: Parameters<typeof project.search.note>[0]) => {
        const start = performance.now();
        const note = await project.search.note(request);
        times.push(performance.now() - start);
        return note;
      },
    };
    for (let round = 0; round < WARM_UP; round++) await runCases(project.search, SHOP);
    for (let round = 0; round < ROUNDS; round++) await runCases(timed, SHOP);
    return toTable(times.toSorted((one, other) => one - other));
  } finally {
    project.remove();
  }
}

function toTable(times: readonly number[]): Table {
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;
  return {
    title: `Milliseconds for a note, with ${TOPICS.toLocaleString("en-US")} topics and 200 sessions in memory`,
    columns: ["median", "p99"],
    rows: [
      {
        name: "message or call",
        figures: [
          { value: at(0.5), digits: 2, limit: limit(MAX_MEDIAN_MS) },
          { value: at(0.99), digits: 2, limit: limit(MAX_P99_MS) },
        ],
      },
    ],
  };
}

function limit(value: number): { readonly kind: "at most"; readonly value: number } {
  return { kind: "at most", value };
}
