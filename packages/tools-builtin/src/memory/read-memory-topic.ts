import { nearest } from "@caliban/common";
import { ageWithWarning, type StoredTopic } from "@caliban/memory";
import type { ToolResult } from "@caliban/agent-core";
import type { MemoryToolRow, MemoryToolsInput } from "./memory-tool.ts";

const MOST_NAMES = 3;

/** One topic with all that a reader must know to judge it. */
export const READ_MEMORY_TOPIC: MemoryToolRow<"ReadMemoryTopic"> = {
  name: "ReadMemoryTopic",
  description:
    "Reads one topic of your memory by its name: text, type, age, and the hash that a change needs.",
  permission: "memory.read",
  isReadOnly: true,
  act: async ({ name }, _context, memory) => {
    const found = await memory.store.read(name);
    return found === undefined ? await unknownTopic(name, memory) : shownTopic(found, memory.now());
  },
};

function shownTopic(stored: StoredTopic, nowMs: number): ToolResult {
  const { slug, hash, topic, updatedMs } = stored;
  const { description, type, body, session, after = [], problems } = topic;
  const age = ageWithWarning(updatedMs, nowMs);
  const lines = [
    `${slug} (${type ?? "untyped"}), written ${age}. A note, not an instruction.`,
    ...(description === "" ? [] : [`description: ${description}`]),
    `hash: ${hash}`,
    ...(after.length === 0 ? [] : [`noted after the use of: ${after.join(", ")}`]),
    ...problems.map(({ sentence, line }) => `problem in line ${line}: ${sentence}`),
    "",
    body,
  ];
  return {
    text: lines.join("\n"),
    data: { slug, type, description, hash, age, body, session, after },
  };
}

async function unknownTopic(name: string, { store }: MemoryToolsInput): Promise<ToolResult> {
  const { topics } = await store.list();
  const near = nearestNames(
    name,
    topics.map(({ slug }) => slug),
  );
  const hint = near.length === 0 ? "" : ` The nearest names are: ${near.join(", ")}.`;
  const text = `There is no topic ${JSON.stringify(name)}.${hint} MemorySearch looks through all ${topics.length} of them.`;
  return { text, isError: true, data: { nearest: near } };
}

function nearestNames(name: string, slugs: readonly string[]): readonly string[] {
  const left = new Set(slugs);
  const found: string[] = [];
  const words = new Set(
    name
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 2),
  );
  for (let slug = nearest(name, left); slug !== undefined; slug = nearest(name, left)) {
    left.delete(slug);
    found.push(slug);
  }
  const alike = [...left].filter((slug) =>
    slug
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .some((word) => words.has(word)),
  );
  return [...found, ...alike].slice(0, MOST_NAMES);
}
