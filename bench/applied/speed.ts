import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { readMeetings } from "../search/meetings.ts";
import type { Table } from "../search/table.ts";
import { generateTopics, topicFile } from "../search/topic-texts.ts";
import { sessionsOf } from "./case.ts";
import { SHOP } from "./cases/shop.ts";
import { decoySessions, SHOP_AREAS } from "./decoys.ts";
import { openBenchProject } from "./project.ts";
import { runCases } from "./run-cases.ts";

const TOPICS = 10_000;
const SESSIONS = 200;
/** The first ones load the code. */
const WARM_UP = 2;
const ROUNDS = 20;
const MAX_MEDIAN_MS = 1;
const MAX_P99_MS = 5;

/** Measures how long a note takes once the index is loaded. */
export async function benchNoteSpeed(): Promise<Table> {
  const own = SHOP.flatMap(sessionsOf);
  const project = await openBenchProject({
    sessions: [...own, ...decoySessions(SHOP_AREAS, SESSIONS - own.length)],
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
  const limit = (value: number): { readonly kind: "at most"; readonly value: number } => ({
    kind: "at most",
    value,
  });
  return {
    title: `Milliseconds for a note, with ${TOPICS.toLocaleString("en-US")} topics and ${SESSIONS} sessions in memory`,
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
