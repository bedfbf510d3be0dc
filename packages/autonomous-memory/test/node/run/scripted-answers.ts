import type { CompletionRequest } from "../../../src/model/completion.ts";

/** Extracts the id of the session. */
export function extractId({ task }: CompletionRequest): string {
  if (task.kind !== "extract") throw new TypeError("not an extraction");
  return JSON.stringify({
    rollout_summary: `What happened in ${task.threadId}.`,
    rollout_slug: "some-work",
    raw_memory: `- fact of ${task.threadId}`,
  });
}

/** Keeps the previous lines and adds one for each new extraction. */
export function mergeLines({ task }: CompletionRequest): string {
  if (task.kind !== "consolidate") throw new TypeError("not a consolidation");
  const gone = new Set(task.removed.map(({ rawMemory }) => rawMemory));
  const before = (task.previous?.memoryMd ?? "# Memory\n")
    .split("\n")
    .filter((line) => line !== "" && !gone.has(line));
  const lines = [...new Set([...before, ...task.added.map(({ rawMemory }) => rawMemory)])];
  const text = lines.join("\n");
  return JSON.stringify({ memory_md: text, memory_summary: text, skills: [] });
}
