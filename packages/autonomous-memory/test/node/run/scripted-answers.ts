import type { CompletionRequest } from "../../../src/completion.ts";

/** What a sensible model would extract: the session's own name. */
export function learned({ task }: CompletionRequest): string {
  if (task.kind !== "extract") throw new TypeError("no extraction");
  return JSON.stringify({
    rollout_summary: `What happened in ${task.threadId}.`,
    rollout_slug: "some-work",
    raw_memory: `- fact of ${task.threadId}`,
  });
}

/** What a sensible model would make of it: what was there, and a line for each addition. */
export function merged({ task }: CompletionRequest): string {
  if (task.kind !== "consolidate") throw new TypeError("no consolidation");
  const gone = new Set(task.removed.map(({ rawMemory }) => rawMemory));
  const before = (task.previous?.memoryMd ?? "# Memory\n")
    .split("\n")
    .filter((line) => line !== "" && !gone.has(line));
  const lines = [...new Set([...before, ...task.added.map(({ rawMemory }) => rawMemory)])];
  const text = lines.join("\n");
  return JSON.stringify({ memory_md: text, memory_summary: text, skills: [] });
}
