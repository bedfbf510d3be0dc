import { renderIndexLine, indexSize } from "../index-file/edit-index.ts";
import { type IndexLine, parseIndexLines, unlistedSlugs } from "../index-file/index-lines.ts";
import { INDEX_FILE, MAX_INDEX_BYTES, MAX_INDEX_LINES } from "../topics/limits.ts";
import { linkedSlugs } from "../topics/links.ts";
import { slugKey, type TopicSlug } from "../topics/slug.ts";
import type { StoredTopic, UnreadableTopic } from "./topic-store.ts";

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
  readonly path: string;
  readonly line?: number | undefined;
  readonly message: string;
  /** Whether `doctor --fix` mends it. */
  readonly isFixable: boolean;
}

export interface DoctorInput {
  /** The index as it is on disk. */
  readonly index: string;
  readonly topics: readonly StoredTopic[];
  readonly problems: readonly UnreadableTopic[];
  /** What looks like a secret, by file. */
  readonly secrets: readonly FoundSecret[];
  /** Files that a writer left who died. */
  readonly staleFiles: readonly string[];
}

/** Where something looks like a secret. */
export interface FoundSecret {
  readonly file: string;
  readonly kind: string;
  /** `undefined` where lines tell nothing. */
  readonly line?: number | undefined;
  /** What `--fix` does about it. */
  readonly remedy: string;
}

/** Everything that is wrong, worst first. */
export function diagnoseStore(input: DoctorInput): readonly Finding[] {
  return [
    ...input.secrets.map(({ file, kind, line, remedy }): Finding => ({
      code: "SECRET",
      path: file,
      line,
      message: `This looks like a secret (${kind}). --fix ${remedy}; then change it where it is used.`,
      isFixable: true,
    })),
    ...input.problems.map(({ slug, message: sentence }): Finding => ({
      code: "UNREADABLE",
      path: `${slug}.md`,
      message: `${sentence}.`,
      isFixable: false,
    })),
    ...input.topics.flatMap(malformed),
    ...indexFindings(input),
    ...deadLinks(input.topics),
    ...duplicates(input.topics),
    ...input.staleFiles.map((file): Finding => ({
      code: "LEFTOVER",
      path: file,
      message: "A writer that was ended left it behind.",
      isFixable: true,
    })),
  ];
}

function malformed({ slug, topic }: StoredTopic): readonly Finding[] {
  const problems = [...topic.problems, ...otherName(slug, topic)];
  return problems.map(({ sentence, line }) => ({
    code: "MALFORMED",
    file: `${slug}.md`,
    line,
    sentence: `${sentence} \`caliban memory edit ${slug}\` opens it.`,
    isFixable: false,
  }));
}

/** A name in the header that is another topic's. A title of the same words, as Claude Code writes it, will do. */
function otherName(
  slug: TopicSlug,
  { name }: StoredTopic["topic"],
): readonly { readonly sentence: string; readonly line: number }[] {
  if (name === undefined || words(name) === words(slug)) return [];
  return [
    { sentence: `The header says that its name is ${JSON.stringify(name.slice(0, 60))}.`, line: 2 },
  ];
}

function words(name: string): string {
  return slugKey(name)
    .split(/[\s_.-]+/)
    .join("-");
}

function indexFindings({ index, topics, problems }: DoctorInput): readonly Finding[] {
  const lines = parseIndexLines(index);
  const slugs = topics.map(({ slug }) => slug);
  const orphans = unlistedSlugs(slugs, lines);
  return [
    ...lineFindings(index, lines, { topics, problems }),
    ...orphans.map((slug): Finding => ({
      code: "ORPHAN",
      path: `${slug}.md`,
      message: `The index has no line for ${slug}.`,
      isFixable: true,
    })),
    ...fullIndex(index),
  ];
}

function lineFindings(
  index: string,
  lines: readonly IndexLine[],
  { topics, problems }: Pick<DoctorInput, "topics" | "problems">,
): readonly Finding[] {
  const bySlug = new Map(topics.map((topic) => [topic.slug, topic]));
  const there = new Set([...topics, ...problems].map(({ slug }) => slugKey(slug)));
  const seen = new Set<TopicSlug>();
  const findings: Finding[] = [];
  let [line, counted] = [1, 0];
  for (const { slug, start, end, isGenerated: isOurs } of lines) {
    // Counted on from the line before, because an index may have thousands.
    for (; counted < start; counted = index.indexOf("\n", counted) + 1) line++;
    const topic = bySlug.get(slug);
    const found = (code: Finding["code"], sentence: string): void =>
      void findings.push({ code, path: INDEX_FILE, line, message: sentence, isFixable: isOurs });
    const whose = isOurs ? "" : " You wrote the line, so it stays; take it out yourself.";
    if (!there.has(slugKey(slug)))
      found("DEAD_LINE", `The line leads to ${slug}, which is gone.${whose}`);
    else if (seen.has(slug) && isOurs)
      found("DOUBLE_LINE", `${slug} has a line further up already.`);
    else if (topic !== undefined && isOurs && isStale(index.slice(start, end), topic)) {
      found("STALE_LINE", `The line says something else than ${slug}.md does.`);
    }
    seen.add(slug);
  }
  return findings;
}

function isStale(line: string, { slug, topic }: StoredTopic): boolean {
  return line.trim() !== renderIndexLine({ ...topic, slug });
}

function fullIndex(index: string): readonly Finding[] {
  const { lines, bytes } = indexSize(index);
  if (lines <= MAX_INDEX_LINES && bytes <= MAX_INDEX_BYTES) return [];
  const size = `${lines} lines and ${bytes} bytes`;
  const sentence = `The index has ${size}; only the first ${MAX_INDEX_LINES} lines or ${MAX_INDEX_BYTES} bytes reach the prompt. Merge or remove topics.`;
  return [{ code: "INDEX_FULL", path: INDEX_FILE, message: sentence, isFixable: false }];
}

function deadLinks(topics: readonly StoredTopic[]): readonly Finding[] {
  const keys = new Set(topics.map(({ slug }) => slugKey(slug)));
  return topics.flatMap(({ slug, topic }) =>
    linkedSlugs(topic.body)
      .filter((target) => !keys.has(slugKey(target)))
      .map((target) => ({
        code: "DEAD_LINK",
        file: `${slug}.md`,
        sentence: `It points to [[${target}]], and there is no such topic.`,
        isFixable: false,
      })),
  );
}

/** Two that say the same, or whose names only some file systems tell apart. */
function duplicates(topics: readonly StoredTopic[]): readonly Finding[] {
  const [byText, byName] = [new Map<string, TopicSlug>(), new Map<string, TopicSlug>()];
  return topics.flatMap(({ slug, topic }) => {
    const text = topic.body.split(/\s+/).join(" ").toLowerCase();
    const [sameText, sameName] = [byText.get(text), byName.get(slugKey(slug))];
    byName.set(slugKey(slug), sameName ?? slug);
    if (text !== "") byText.set(text, sameText ?? slug);
    const file = `${slug}.md`;
    const double = (sentence: string): Finding => ({
      code: "DUPLICATE",
      path: file,
      message: sentence,
      isFixable: false,
    });
    return [
      ...(sameText === undefined
        ? []
        : [double(`It says the same as ${sameText}.md; keep one of them.`)]),
      ...(sameName === undefined
        ? []
        : [double(`Its name differs from ${sameName}.md in case only; rename one of them.`)]),
    ];
  });
}
