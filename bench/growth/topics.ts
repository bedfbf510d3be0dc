import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { renderIndexLine } from "../../packages/memory/src/index-file/render-line.ts";
import { parseNewTopicSlug } from "../../packages/memory/src/topics/slug.ts";
import type { Meeting } from "../search/meetings.ts";
import { percentile } from "../search/speed/query-times.ts";
import { queriesOf } from "../search/speed/queries.ts";
import { caliban } from "../search/speed/topic-finders.ts";
import { generateTopics, topicDocument, topicFile } from "../search/topic-texts.ts";
import { listRatio, writeRatio } from "../topics.ts";
import type { Curve, Point } from "./curve.ts";
import { createGrowingHome, type GrowingHome } from "./growing-home.ts";
import { ratioToNode } from "./time-process.ts";

const SIZES = [1, 10, 100, 1_000, 10_000, 100_000];
/** A build of more takes minutes. */
const MAX_BUILT = 10_000;
const SEARCH_PASSES = 4;

/** Curves over the number of topics. */
export async function measureTopics(meetings: readonly Meeting[]): Promise<readonly Curve[]> {
  const { starts, builds } = await measureProcesses(meetings);
  const writes: Point[] = [];
  const lists: Point[] = [];
  for (const size of SIZES) writes.push({ size, value: await writeRatio(size) });
  for (const size of SIZES.slice(1)) lists.push({ size, value: await listRatio(size) });
  const of = "topics" as const;
  return [
    { name: "start-topics", title: "Start of caliban memory", of, unit: "× node", points: starts },
    {
      name: "write-topics",
      title: "Writing a topic, to the bare file operations",
      of,
      unit: "×",
      points: writes,
      target: 2,
    },
    {
      name: "list-topics",
      title: "Listing known topics, to a stat of each file",
      of,
      unit: "×",
      points: lists,
      target: 1.5,
    },
    {
      name: "build-topics",
      title: "Memory of the first index build, over an empty process",
      of,
      unit: "MB",
      points: builds,
      target: 120,
    },
    {
      name: "search-topics",
      title: "99 of 100 searches in a warm index take at most",
      of,
      unit: "ms",
      points: SIZES.slice(1).map((size) => ({ size, value: searchP99(meetings, size) })),
      target: 5,
    },
  ];
}

async function measureProcesses(
  meetings: readonly Meeting[],
): Promise<{ readonly starts: readonly Point[]; readonly builds: readonly Point[] }> {
  const grown = createGrowingHome();
  const starts: Point[] = [];
  const builds: Point[] = [];
  try {
    const topics = generateTopics(meetings, SIZES.at(-1) ?? 0);
    let written = 0;
    for (const size of SIZES) {
      for (const topic of topics.slice(written, size))
        writeFileSync(join(grown.project, "memory", `${topic.slug}.md`), topicFile(topic));
      written = size;
      writeIndex(grown, topics.slice(0, size));
      starts.push({ size, value: ratioToNode(grown.home, ["memory"]) });
      if (size <= MAX_BUILT) builds.push({ size, value: await buildMegabytes(grown, size) });
    }
  } finally {
    grown.remove();
  }
  return { starts, builds };
}

function writeIndex(
  { project }: GrowingHome,
  topics: readonly { readonly slug: string; readonly description: string }[],
): void {
  const lines = topics.map(({ slug, description }) =>
    renderIndexLine({ slug: parseNewTopicSlug(slug), type: "project", description }),
  );
  writeFileSync(join(project, "memory/MEMORY.md"), `# Memory index\n\n${lines.join("\n")}\n`);
}

async function buildMegabytes({ home, project }: GrowingHome, size: number): Promise<number> {
  const empty = await run<{ megabytes: number }>("empty-process.mjs");
  const built = await run<{ megabytes: number; searched: number }>(
    "search-topics.mjs",
    join(project, "memory"),
    join(home, `state-${size}`),
    "functions of the remote control",
  );
  if (built.searched !== size) throw new Error(`only ${built.searched} topics were searched`);
  return built.megabytes - empty.megabytes;
}

async function run<Printed>(script: string, ...args: readonly string[]): Promise<Printed> {
  const path = join(import.meta.dirname, "../search/disk", script);
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...args]);
  return JSON.parse(stdout) as Printed;
}

function searchP99(meetings: readonly Meeting[], size: number): number {
  const find = caliban(generateTopics(meetings, size).map(topicDocument));
  const { keywords, questions } = queriesOf(meetings);
  const times = [...keywords, ...questions].map((query) => fastestMs(() => find(query)));
  return percentile(
    times.toSorted((a, b) => a - b),
    0.99,
  );
}

/** Other processes only ever make a run slower. */
function fastestMs(action: () => unknown): number {
  const times = Array.from({ length: SEARCH_PASSES }, () => {
    const started = performance.now();
    action();
    return performance.now() - started;
  });
  return Math.min(...times);
}
