import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../../scripts/workspace.mjs";
import { benchDisk } from "./disk/disk.ts";
import { readMeetings } from "./meetings.ts";
import { benchQuality } from "./quality/quality.ts";
import { benchSpeed } from "./speed/speed.ts";
import { brokenLimits, renderTable, type Table } from "./table.ts";

const LOG = join(root, "node_modules/.cache/caliban/search-questions.jsonl");

/** Whether search finds what is asked for, and how fast, beside what others would have us use. */
export async function benchSearch(options: readonly string[] = []): Promise<readonly string[]> {
  const { values } = parseArgs({ args: [...options], options: { log: { type: "string" } } });
  const meetings = readMeetings();
  const tables: Table[] = [];
  const show = (more: readonly Table[]): void => {
    for (const line of more.flatMap(renderTable)) console.log(line);
    tables.push(...more);
  };
  show(benchQuality(meetings, values.log === undefined ? LOG : resolve(values.log)));
  show(benchSpeed(meetings));
  show(await benchDisk(meetings));
  const broken = tables.flatMap(brokenLimits);
  if (broken.length === 0) return ["every limit is kept"];
  process.exitCode = 1;
  return ["limits that are broken:", ...broken.map((line) => `  ${line}`)];
}
