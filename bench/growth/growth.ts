import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/workspace.mjs";
import { readMeetings } from "../search/meetings.ts";
import { renderRows } from "./curve.ts";
import { renderCurve } from "./render-curve.ts";
import { measureSessions } from "./sessions.ts";
import { measureTopics } from "./topics.ts";

const PICTURES = join(root, "docs/performance");

/** Measures how costs change with what users collect, and draws each curve for docs/performance.md. */
export async function benchGrowth(): Promise<readonly string[]> {
  const curves = [...(await measureSessions()), ...(await measureTopics(readMeetings()))];
  const day = new Date().toISOString().slice(0, 10);
  // The kind of machine, because its name says nothing to others.
  const machine = `${process.platform} ${process.arch}, ${availableParallelism()} cores, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(0)}`;
  mkdirSync(PICTURES, { recursive: true });
  for (const curve of curves)
    writeFileSync(join(PICTURES, `${curve.name}.svg`), renderCurve(curve, `${day}, ${machine}`));
  return renderRows(curves);
}
