import { MemoryError } from "../../errors.ts";
import { parseTopicHeader } from "../../topics/parse-topic.ts";
import { slugKey, type TopicSlug } from "../../topics/slug.ts";
import type { Engine } from "./engine.ts";
import { readEntries } from "./read-topics.ts";

/** Longer chains are only found by the doctor. */
const MAX_TOPICS = 200;

/**
 * Rejects a topic that is superseded by a topic it supersedes. Files that are circular already are read as they are.
 * @returns the names of topics that do not exist
 * @throws MemoryError `INVALID_TOPIC`
 */
export async function checkSuperseded(
  { backend }: Engine,
  slug: TopicSlug,
  supersedes: readonly string[] = [],
): Promise<readonly string[]> {
  const seen = new Set<string>();
  let missing: readonly string[] | undefined;
  let level: readonly (readonly string[])[] = supersedes.map((name) => [slug, name]);
  while (level.length > 0 && seen.size < MAX_TOPICS) {
    const circle = level.find((chain) => keyOfLast(chain) === slugKey(slug));
    if (circle !== undefined) throw circular(circle);
    const next = level.filter((chain) => !seen.has(keyOfLast(chain)));
    for (const chain of next) seen.add(keyOfLast(chain));
    const entries = await readEntries(
      backend,
      next.map((chain) => chain.at(-1) ?? ""),
    );
    missing ??= supersedes.filter((name) => !entries.has(name));
    level = next.flatMap((chain) => {
      const entry = entries.get(chain.at(-1) ?? "");
      if (entry === undefined || "problem" in entry) return [];
      return (parseTopicHeader(entry.text).supersedes ?? []).map((name) => chain.concat(name));
    });
  }
  return missing ?? [];
}

/** A warning for the writer of a topic that supersedes topics that do not exist. */
export function missingWarning(missing: readonly string[]): string | undefined {
  if (missing.length === 0) return undefined;
  return `no topic ${missing.join(", ")} exists, so this topic supersedes nothing of that name; correct supersedes if the name is wrong`;
}

function keyOfLast(chain: readonly string[]): string {
  return slugKey(chain.at(-1) ?? "");
}

function circular(chain: readonly string[]): MemoryError {
  const [first = "", second = ""] = chain;
  const message = `${first} cannot supersede ${second}: it would supersede itself (${chain.join(" → ")}). Remove one of these names from supersedes first`;
  return new MemoryError("INVALID_TOPIC", message);
}
