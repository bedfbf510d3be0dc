import { indexLine, indexSize } from "./index-body.ts";
import { indexLines } from "./index-lines.ts";
import { MAX_INDEX_BYTES, MAX_INDEX_LINES } from "./limits.ts";
import { linkedSlugs } from "./links.ts";
import { slugKey, type TopicSlug } from "./slug.ts";
import type { StoredTopic, UnreadableTopic } from "./store.ts";

/** Something wrong with a memory, and what helps. */
export interface Finding {
  readonly code:
    | "ORPHAN"
    | "DEAD_LINE"
    | "STALE_LINE"
    | "DOUBLE_LINE"
    | "DEAD_LINK"
    | "MALFORMED"
    | "UNREADABLE"
    | "DUPLICATE"
    | "INDEX_FULL"
    | "SECRET"
    | "LEFTOVER";
  /** The file, by its name in the directory. */
  readonly file: string;
  readonly line?: number | undefined;
  readonly sentence: string;
  /** Whether `doctor --fix` mends it. */
  readonly isFixable: boolean;
}

export interface DoctorInput {
  /** The index as it is on disk. */
  readonly index: string;
  readonly topics: readonly StoredTopic[];
  readonly problems: readonly UnreadableTopic[];
  /** What looks like a secret, by topic. */
  readonly secrets: readonly {
    readonly slug: TopicSlug;
    readonly kind: string;
    readonly line: number;
  }[];
  /** Files that a writer left who died. */
  readonly leftovers: readonly string[];
}

const INDEX = "MEMORY.md";

/** Everything that is wrong, worst first. */
export function diagnose(input: DoctorInput): readonly Finding[] {
  return [
    ...input.secrets.map(({ slug, kind, line }): Finding => ({
      code: "SECRET",
      file: `${slug}.md`,
      line,
      sentence: `This looks like a secret (${kind}). --fix takes it out of the file and of the history; then change it where it is used.`,
      isFixable: true,
    })),
    ...input.problems.map(({ slug, sentence }): Finding => ({
      code: "UNREADABLE",
      file: `${slug}.md`,
      sentence: `${sentence}. Mend it or move it away.`,
      isFixable: false,
    })),
    ...input.topics.flatMap(malformed),
    ...indexFindings(input),
    ...input.topics.flatMap((topic) => deadLinks(topic, input.topics)),
    ...duplicates(input.topics),
    ...input.leftovers.map((file): Finding => ({
      code: "LEFTOVER",
      file,
      sentence: "A writer that was ended left it behind.",
      isFixable: true,
    })),
  ];
}

function malformed({ slug, topic }: StoredTopic): readonly Finding[] {
  return topic.problems.map(({ sentence, line }) => ({
    code: "MALFORMED",
    file: `${slug}.md`,
    line,
    sentence: `${sentence} \`caliban memory edit ${slug}\` opens it.`,
    isFixable: false,
  }));
}

function indexFindings({ index, topics, problems }: DoctorInput): readonly Finding[] {
  const byKey = new Map(topics.map((topic) => [slugKey(topic.slug), topic]));
  const there = new Set([...byKey.keys(), ...problems.map(({ slug }) => slugKey(slug))]);
  const seen = new Set<string>();
  const findings: Finding[] = [];
  for (const { slug, start, end } of indexLines(index)) {
    const key = slugKey(slug);
    const line = index.slice(0, start).split("\n").length;
    const topic = byKey.get(key);
    const found = (code: Finding["code"], sentence: string): void =>
      void findings.push({ code, file: INDEX, line, sentence, isFixable: true });
    if (!there.has(key)) found("DEAD_LINE", `The line leads to ${slug}, which is gone.`);
    else if (seen.has(key)) found("DOUBLE_LINE", `${slug} has a line further up already.`);
    else if (topic !== undefined && isStale(index.slice(start, end), topic)) {
      found("STALE_LINE", `The line says something else than ${slug}.md does.`);
    }
    seen.add(key);
  }
  const orphans = topics.filter(({ slug }) => !seen.has(slugKey(slug)));
  return [
    ...findings,
    ...orphans.map(({ slug }): Finding => ({
      code: "ORPHAN",
      file: `${slug}.md`,
      sentence: `The index has no line for ${slug}.`,
      isFixable: true,
    })),
    ...fullIndex(index),
  ];
}

/** Only what we wrote can be out of date; a person's words are theirs. */
function isStale(line: string, { slug, topic }: StoredTopic): boolean {
  const own = indexLine({ ...topic, slug });
  const isOurs = line.trimStart().startsWith(own.slice(0, own.indexOf(" — ") + 3));
  return isOurs && line.trim() !== own;
}

function fullIndex(index: string): readonly Finding[] {
  const { lines, bytes } = indexSize(index);
  if (lines <= MAX_INDEX_LINES && bytes <= MAX_INDEX_BYTES) return [];
  const size = `${lines} lines and ${bytes} bytes`;
  const sentence = `The index has ${size}; only the first ${MAX_INDEX_LINES} lines or ${MAX_INDEX_BYTES} bytes reach the prompt. Merge or remove topics.`;
  return [{ code: "INDEX_FULL", file: INDEX, sentence, isFixable: false }];
}

function deadLinks(
  { slug, topic }: StoredTopic,
  topics: readonly StoredTopic[],
): readonly Finding[] {
  const keys = new Set(topics.map((other) => slugKey(other.slug)));
  return linkedSlugs(topic.body)
    .filter((target) => !keys.has(slugKey(target)))
    .map((target) => ({
      code: "DEAD_LINK",
      file: `${slug}.md`,
      sentence: `It points to [[${target}]], and there is no such topic.`,
      isFixable: false,
    }));
}

function duplicates(topics: readonly StoredTopic[]): readonly Finding[] {
  const first = new Map<string, TopicSlug>();
  return topics.flatMap(({ slug, topic }) => {
    const key = topic.body.replaceAll(/\s+/g, " ").trim().toLowerCase();
    const double = first.get(key);
    if (key !== "" && double === undefined) first.set(key, slug);
    if (double === undefined) return [];
    const sentence = `It says the same as ${double}.md; keep one of them.`;
    return [{ code: "DUPLICATE", file: `${slug}.md`, sentence, isFixable: false } as const];
  });
}
