import { command, type Diagnostic, withCommands } from "@caliban/common";
import { type IndexLine, parseIndexLines, unlistedSlugs } from "../index-file/index-lines.ts";
import { indexSize } from "../index-file/index-size.ts";
import { renderIndexLine } from "../index-file/render-line.ts";
import { withoutSupersededMark } from "../index-file/superseded-mark.ts";
import { INDEX_FILE, MAX_INDEX_BYTES, MAX_INDEX_LINES } from "../topics/limits.ts";
import { linkedSlugs } from "../topics/links.ts";
import type { EvidenceState } from "../topics/evidence-state.ts";
import { slugKey, type TopicSlug } from "../topics/slug.ts";
import type { Evidence } from "../topics/topic-fields.ts";
import { findFieldProblem } from "./check-fields.ts";
import { type Contradiction, findContradictions } from "./findings/contradictions.ts";
import { type Duplicate, findDuplicates } from "./findings/duplicates.ts";
import { findSupersedesProblems, type SupersedesProblem } from "./findings/superseded.ts";
import type { StoredTopic, UnreadableTopic } from "./topic-store.ts";

/** A problem with a memory directory, and how to fix it. */
export interface Finding extends Diagnostic<FindingCode> {
  /** The name of the file in the directory. */
  readonly path: string;
  /** Whether `doctor --fix` repairs it. */
  readonly isFixable: boolean;
  /** Replaces the message once it is fixed. */
  readonly fixedMessage?: string | undefined;
}

type FindingCode =
  | "ORPHAN"
  | "DEAD_LINE"
  | "STALE_LINE"
  | "DOUBLE_LINE"
  | "DEAD_LINK"
  | "MALFORMED"
  | "UNREADABLE"
  | "DUPLICATE"
  | "CONTRADICTION"
  | "SUPERSEDES"
  | "EVIDENCE"
  | "INDEX_FULL"
  | "SECRET"
  | "LEFTOVER";

export interface StoreContents {
  /** The index as it is on disk. */
  readonly index: string;
  readonly topics: readonly StoredTopic[];
  readonly problems: readonly UnreadableTopic[];
  readonly secrets: readonly FoundSecret[];
  /** Temporary files of crashed writers. */
  readonly staleFiles: readonly string[];
  /** Evidence that is not where it was. */
  readonly doubtful?: readonly DoubtfulEvidence[] | undefined;
}

/** Evidence of a topic that is not where it was. */
export interface DoubtfulEvidence {
  readonly slug: TopicSlug;
  readonly evidence: Evidence;
  readonly state: Exclude<EvidenceState, "ok">;
  /** Where it is now, if that is certain. */
  readonly movedTo?: Pick<Evidence, "path" | "sha256"> | undefined;
  /** True if the file is there and cannot be read. */
  readonly isUnverifiable?: boolean | undefined;
}

/** Something that looks like a secret, and where. */
export interface FoundSecret {
  readonly file: string;
  readonly kind: string;
  /** `undefined` if the line says nothing, as in the history. */
  readonly line?: number | undefined;
  /** What `--fix` does about it. */
  readonly remedy: string;
  /** What `--fix` did about it. */
  readonly fixed: string;
}

/**
 * What finds each kind of problem, the worst first. With thousands of topics, each takes a while;
 * `undefined` is a moment for something else.
 */
export const DIAGNOSES: readonly ((contents: StoreContents) => Iterable<Finding | undefined>)[] = [
  ({ secrets }) => secrets.map(secretFinding),
  ({ problems }) => problems.map(unreadableFinding),
  malformed,
  indexFindings,
  ({ topics }) => deadLinks(topics),
  duplicateFindings,
  ({ topics }) => findSupersedesProblems(topics).map(supersedesFinding),
  contradictionFindings,
  ({ doubtful = [] }) => doubtful.map(evidenceFinding),
  ({ staleFiles }) => staleFiles.map(staleFileFinding),
];

function secretFinding({ file, kind, line, remedy, fixed }: FoundSecret): Finding {
  const message = `This looks like a secret (${kind}). --fix ${remedy}; then revoke the secret.`;
  const fixedMessage = `A secret (${kind}) was ${fixed}. Revoke the secret.`;
  return { code: "SECRET", path: file, line, message, isFixable: true, fixedMessage };
}

function unreadableFinding({ slug, message }: UnreadableTopic): Finding {
  return { code: "UNREADABLE", path: `${slug}.md`, message: `${message}.`, isFixable: false };
}

function staleFileFinding(path: string): Finding {
  return { code: "LEFTOVER", path, message: "A crashed writer left it behind.", isFixable: true };
}

function malformedFindings({ slug, topic }: StoredTopic): readonly Finding[] {
  const problems = [...topic.problems, ...nameProblems(slug, topic), ...fieldProblems(slug, topic)];
  const edit = command(`memory edit ${slug}`);
  return problems.map(({ message: problem, line }) => {
    const { message, parts } = withCommands`${problem} Run: ${edit}`;
    return { code: "MALFORMED", path: `${slug}.md`, line, message, parts, isFixable: false };
  });
}

/** A header with another topic's name. A title made of the same words, as Claude Code writes it, is fine. */
function nameProblems(
  slug: TopicSlug,
  { name }: StoredTopic["topic"],
): readonly { readonly message: string; readonly line: number }[] {
  if (name === undefined || normalizeName(name) === normalizeName(slug)) return [];
  const shown = JSON.stringify(name.slice(0, 60));
  return [{ message: `The name in the header, ${shown}, is not the file name.`, line: 2 }];
}

/** What a write would refuse. */
function fieldProblems(
  slug: TopicSlug,
  topic: StoredTopic["topic"],
): readonly { readonly message: string; readonly line?: undefined }[] {
  const problem = findFieldProblem(topic, slug);
  return problem === undefined ? [] : [{ message: `It is ignored in part: ${problem}.` }];
}

function normalizeName(name: string): string {
  return slugKey(name)
    .split(/[\s_.-]+/)
    .join("-");
}

function indexFindings({ index, topics, problems }: StoreContents): readonly Finding[] {
  const lines = parseIndexLines(index);
  const slugs = topics.map(({ slug }) => slug);
  return [
    ...lineFindings(index, lines, { topics, problems }),
    ...unlistedSlugs(slugs, lines).map(orphanFinding),
    ...fullIndex(index),
  ];
}

function orphanFinding(slug: TopicSlug): Finding {
  const message = `The index has no line for ${slug}.`;
  return { code: "ORPHAN", path: `${slug}.md`, message, isFixable: true };
}

function lineFindings(
  index: string,
  lines: readonly IndexLine[],
  { topics, problems }: Pick<StoreContents, "topics" | "problems">,
): readonly Finding[] {
  const bySlug = new Map(topics.map((topic) => [topic.slug, topic]));
  const existing = new Set([...topics, ...problems].map(({ slug }) => slugKey(slug)));
  const seen = new Set<TopicSlug>();
  const findings: Finding[] = [];
  let [line, counted] = [1, 0];
  for (const { slug, start, end, isGenerated } of lines) {
    // Counts on from the line before, because an index may have thousands.
    for (; counted < start; counted = index.indexOf("\n", counted) + 1) line++;
    const topic = bySlug.get(slug);
    const report = (code: FindingCode, message: string): void =>
      void findings.push({ code, path: INDEX_FILE, line, message, isFixable: isGenerated });
    const remedy = isGenerated ? "" : " You wrote this line, so it is kept; remove it yourself.";
    if (!existing.has(slugKey(slug)))
      report("DEAD_LINE", `The line links to ${slug}, which no longer exists.${remedy}`);
    else if (seen.has(slug) && isGenerated)
      report("DOUBLE_LINE", `${slug} already has a line further up.`);
    else if (topic !== undefined && isGenerated && isStale(index.slice(start, end), topic)) {
      report("STALE_LINE", `The line does not match ${slug}.md.`);
    }
    seen.add(slug);
  }
  return findings;
}

function isStale(line: string, { slug, topic }: StoredTopic): boolean {
  return withoutSupersededMark(line).trim() !== renderIndexLine({ ...topic, slug });
}

function fullIndex(index: string): readonly Finding[] {
  const { lines, bytes } = indexSize(index);
  if (lines <= MAX_INDEX_LINES && bytes <= MAX_INDEX_BYTES) return [];
  const size = `${lines} lines and ${bytes} bytes`;
  const message = `The index has ${size}; only the first ${MAX_INDEX_LINES} lines or ${MAX_INDEX_BYTES} bytes reach the prompt. Merge or remove topics.`;
  return [{ code: "INDEX_FULL", path: INDEX_FILE, message, isFixable: false }];
}

function deadLinks(topics: readonly StoredTopic[]): readonly Finding[] {
  const keys = new Set(topics.map(({ slug }) => slugKey(slug)));
  return topics.flatMap(({ slug, topic }) =>
    linkedSlugs(topic.body)
      .filter((target) => !keys.has(slugKey(target)))
      .map((target) => ({
        code: "DEAD_LINK",
        path: `${slug}.md`,
        message: `It links to [[${target}]], which does not exist.`,
        isFixable: false,
      })),
  );
}

const TOPICS_AT_ONCE = 200;

function* duplicateFindings({ topics }: StoreContents): Generator<Finding | undefined> {
  for (const found of findDuplicates(topics)) yield found && duplicateFinding(found);
}

function duplicateFinding({ slug, other, same }: Duplicate): Finding {
  const message =
    same === "text"
      ? `It has the same text as ${other}.md; keep one of them.`
      : `Its name differs from ${other}.md only in case; rename one of them.`;
  return { code: "DUPLICATE", path: `${slug}.md`, message, isFixable: false };
}

function* malformed({ topics }: StoreContents): Generator<Finding | undefined> {
  for (const [at, topic] of topics.entries()) {
    if (at % TOPICS_AT_ONCE === 0) yield undefined;
    yield* malformedFindings(topic);
  }
}

function supersedesFinding(problem: SupersedesProblem): Finding {
  const { slug } = problem.topic;
  const path = `${slug}.md`;
  if (problem.kind === "dangling") {
    const message = `It supersedes ${problem.name}, which does not exist.`;
    return { code: "SUPERSEDES", path, message, isFixable: true };
  }
  const circle = problem.circle.join(" → ");
  const edit = command(`memory edit ${slug}`);
  const { message, parts } =
    withCommands`It supersedes itself: ${circle}. Remove one of these names: ${edit}`;
  return { code: "SUPERSEDES", path, message, parts, isFixable: false };
}

function* contradictionFindings({ topics }: StoreContents): Generator<Finding | undefined> {
  for (const found of findContradictions(topics)) yield found && contradictionFinding(found);
}

/** Proposes to merge two topics; only the user knows which one is right. */
function contradictionFinding({ newer, older, newerSays, olderSays }: Contradiction): Finding {
  const [edit, remove] = [command(`memory edit ${newer.slug}`), command(`memory rm ${older.slug}`)];
  const difference = `It may contradict ${older.slug}.md (${newerSays} here, ${olderSays} there).`;
  const { message, parts } =
    withCommands`${difference} If this one is current, add what is still true of the other: ${edit}, and then: ${remove}`;
  return { code: "CONTRADICTION", path: `${newer.slug}.md`, message, parts, isFixable: false };
}

const MAX_SHOWN_CHARACTERS = 60;

function evidenceFinding(doubtful: DoubtfulEvidence): Finding {
  const { slug, evidence, state, movedTo, isUnverifiable = false } = doubtful;
  const { path, snippet } = evidence;
  const isLong = snippet.length > MAX_SHOWN_CHARACTERS;
  const shown = JSON.stringify(
    isLong ? `${snippet.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed()}…` : snippet,
  );
  const base = { code: "EVIDENCE", path: `${slug}.md` } as const;
  if (movedTo !== undefined) {
    const message = `Its evidence ${shown} moved from ${path} to ${movedTo.path}.`;
    return { ...base, message, isFixable: true };
  }
  const what = {
    moved: `Its evidence ${shown} is not in ${path}, but in several other files.`,
    changed: isUnverifiable
      ? `Its evidence ${shown} cannot be verified: ${path} is not a file of at most 1 MB in the workspace.`
      : `Its evidence ${shown} is not in ${path} any more.`,
    gone: `Its evidence ${shown} was in ${path}, which does not exist any more.`,
  }[state];
  const { message, parts } =
    withCommands`${what} Check whether the topic is still true: ${command(`memory edit ${slug}`)}`;
  return { ...base, message, parts, isFixable: false };
}
