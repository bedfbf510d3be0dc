import { join, resolve } from "node:path";
import { root } from "../../scripts/workspace.mjs";
import { benchDisk } from "./disk/disk.ts";
import { readMeetings } from "./meetings.ts";
import { benchQuality } from "./quality/quality.ts";
import { benchSpeed } from "./speed/speed.ts";
import { exceededLimits, renderTable, type Table } from "./table.ts";

const LOG = join(root, "node_modules/.cache/caliban/search-questions.jsonl");

/** Measures how well and how fast search finds documents, compared with other search engines. */
export async function benchSearch(log = LOG): Promise<readonly string[]> {
  const meetings = readMeetings();
  const tables: Table[] = [];
  const show = (more: readonly Table[]): void => {
    for (const line of more.flatMap(renderTable)) console.log(line);
    tables.push(...more);
  };
  show(benchQuality(meetings, resolve(log)));
  show(benchSpeed(meetings));
  show(await benchDisk(meetings));
  const exceeded = tables.flatMap(exceededLimits);
  if (exceeded.length === 0) return ["within every limit"];
  process.exitCode = 1;
  return ["limits exceeded:", ...exceeded.map((line) => `  ${line}`)];
}
