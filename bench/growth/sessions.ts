import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { generateSessions, type SessionDirectory, sessionName } from "../pipeline/sessions.ts";
import type { Curve, Point } from "./curve.ts";
import { createGrowingHome } from "./growing-home.ts";
import { costOf, ratioToNode } from "./time-process.ts";

const COUNTS = [1, 10, 100, 1_000, 10_000];
const SMALL_BYTES = 2_000;
const LENGTHS = [1e3, 1e4, 1e5, 1e6, 1e7, 5e7];

/** Curves over the number of sessions, and over the length of one. */
export async function measureSessions(): Promise<readonly Curve[]> {
  return [...(await measureCounts()), ...(await measureLengths())];
}

async function measureCounts(): Promise<readonly Curve[]> {
  const grown = createGrowingHome();
  const generated = generateSessions(COUNTS.at(-1) ?? 0, SMALL_BYTES);
  const starts: Point[] = [];
  const lists: Point[] = [];
  try {
    let copied = 0;
    for (const size of COUNTS) {
      for (; copied < size; copied++) copy(generated, copied, grown.project);
      starts.push({ size, value: ratioToNode(grown.home, ["memory"]) });
      lists.push({ size, value: (await costOf(grown.home, ["sessions"])).ms });
    }
  } finally {
    grown.remove();
    rmSync(generated.home, { recursive: true });
  }
  const of = "sessions" as const;
  return [
    {
      name: "start-sessions",
      title: "Start of caliban memory",
      of,
      unit: "× node",
      points: starts,
    },
    { name: "list-sessions", title: "caliban sessions", of, unit: "ms", points: lists },
  ];
}

async function measureLengths(): Promise<readonly Curve[]> {
  const times: Point[] = [];
  const memory: Point[] = [];
  for (const size of LENGTHS) {
    const grown = createGrowingHome();
    const generated = generateSessions(1, size);
    try {
      copy(generated, 0, grown.project);
      const { ms, megabytes } = await costOf(grown.home, ["sessions", "export", sessionName(0)]);
      times.push({ size, value: ms });
      memory.push({ size, value: megabytes });
    } finally {
      grown.remove();
      rmSync(generated.home, { recursive: true });
    }
  }
  const of = "bytes" as const;
  return [
    {
      name: "export-bytes",
      title: "Exporting a session, by the length of its transcript",
      of,
      unit: "ms",
      points: times,
    },
    {
      name: "export-memory",
      title: "Memory of exporting a session, by the length of its transcript",
      of,
      unit: "MB",
      points: memory,
    },
  ];
}

function copy({ sessions }: SessionDirectory, n: number, project: string): void {
  const name = `${sessionName(n)}.jsonl`;
  copyFileSync(join(sessions, name), join(project, "sessions", name));
}
