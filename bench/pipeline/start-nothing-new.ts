// Starts the pipeline as the screen does, and prints how long it kept the main thread busy.
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { NO_OPTIONS } from "../../apps/caliban/src/command.ts";
import { openProject } from "../../apps/caliban/src/project/project.ts";
import type { Host } from "../../apps/caliban/src/host.ts";
import { startPipeline } from "../../apps/caliban/src/pipeline/start-pipeline.ts";

const [home = "", cwd = ""] = process.argv.slice(2);
const host: Pick<Host, "env" | "platform" | "home" | "cwd"> = {
  env: { ...process.env, HOME: home },
  platform: process.platform,
  home,
  cwd,
};
const invocation = { host: host as Host, ...NO_OPTIONS };
const lines: string[] = [];
// The screen starts it half a second after it has opened a conversation with the same settings.
await openProject(invocation);
await pause(500);
// Keeps the process alive as the screen does; the worker thread does not.
setInterval(() => undefined, 60_000);
const before = performance.eventLoopUtilization();
const worker = await startPipeline({
  invocation,
  sessionId: "20261116-120000-aaaa",
  say: ({ text }) => lines.push(text),
});
const end = await worker?.end;
const { active } = performance.eventLoopUtilization(before);
console.log(JSON.stringify({ ms: active, lines, report: end?.report }));
process.exit(0);
