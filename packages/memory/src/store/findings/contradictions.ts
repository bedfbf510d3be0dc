import { slugKey } from "../../topics/slug.ts";
import type { StoredTopic } from "../topic-store.ts";

/** Two topics about the same subject that say different things. */
export interface Contradiction {
  readonly newer: StoredTopic;
  readonly older: StoredTopic;
  /** What each of them says, such as `20` and `30`. */
  readonly newerSays: string;
  readonly olderSays: string;
}

/** Few and certain rather than many: each one asks the user to decide. */
const MAX_CONTRADICTIONS = 20;
const MIN_SHARED_TERMS = 3;
/** Topics that name alternatives of the same kind are about the same thing more often. */
const MIN_SHARED_TERMS_OF_CHOICES = 2;
const MAX_EXTRA_TERMS = 2;
/** A word of this many topics says little about a subject. */
const MAX_TOPICS_OF_TERM = 50;

/**
 * Finds topics whose descriptions share their words and differ in a value: a number, a tool that is used instead of
 * another, or a negation. Topics of which one supersedes the other are settled.
 * @yields a contradiction; between many topics `undefined`, so that the caller can do something else
 */
export function* findContradictions(
  topics: readonly StoredTopic[],
): Generator<Contradiction | undefined> {
  let count = 0;
  for (const pair of pairsWithSharedTerms(topics)) {
    const found = pair && contradictionOf(...pair);
    if (pair === undefined) yield undefined;
    if (found === undefined) continue;
    yield found;
    count += 1;
    if (count === MAX_CONTRADICTIONS) return;
  }
}

function contradictionOf(one: Claim, other: Claim): Contradiction | undefined {
  const said = isSettled(one.topic, other.topic) ? undefined : differenceOf(one, other);
  if (said === undefined) return undefined;
  const isNewer = one.topic.updatedMs >= other.topic.updatedMs;
  const [newer, older] = isNewer ? [one, other] : [other, one];
  const [newerSays, olderSays] = isNewer ? said : [said[1], said[0]];
  return { newer: newer.topic, older: older.topic, newerSays, olderSays };
}

/** What the description of a topic says, in parts. */
interface Claim {
  readonly topic: StoredTopic;
  readonly terms: ReadonlySet<string>;
  readonly nameTerms: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  /** The alternatives that it names and does not reject, by their group. */
  readonly choices: ReadonlyMap<number, ReadonlySet<string>>;
  readonly isNegated: boolean;
}

/** Of two words of a group, a project usually uses one. */
const ALTERNATIVES: readonly (readonly string[])[] = [
  ["npm", "pnpm", "yarn", "bun", "deno"],
  ["jest", "vitest", "mocha", "ava", "jasmine"],
  ["webpack", "vite", "rollup", "esbuild", "parcel", "rolldown", "turbopack"],
  ["eslint", "oxlint", "biome", "tslint"],
  ["pip", "poetry", "uv", "pipenv", "conda"],
  ["pytest", "unittest", "nose"],
  ["black", "ruff", "yapf"],
  ["maven", "gradle", "bazel"],
  ["docker", "podman"],
  ["github", "gitlab", "bitbucket"],
  ["rebase", "squash"],
  ["main", "master"],
  ["tabs", "spaces"],
  ["single", "double"],
  ["camelcase", "snake_case", "kebab-case", "pascalcase"],
  ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
  ["always", "never"],
  ["enabled", "disabled"],
  ["true", "false"],
  ["required", "optional", "forbidden"],
];
const GROUP_OF: ReadonlyMap<string, number> = new Map(
  ALTERNATIVES.flatMap((words, group) => words.map((word) => [word, group])),
);
const NEGATION = /^(?:not|no|never|don't|do-not|doesn't|cannot|can't|without|avoid|stop|instead)$/;
const COMMON = new Set(
  "a an and are as at be by do does for from has have if in into is it its must of on or our per should that the their then this to use used uses using via was we when where which who will with you your".split(
    " ",
  ),
);
const WORD = /\d+(?:[.,:]\d+)*\p{L}{0,3}|[\p{L}][\p{L}\p{N}'_-]*/gu;

function claimOf(topic: StoredTopic): Claim {
  const words = tokenize(topic.topic.description);
  const choices = new Map<number, Set<string>>();
  for (const [at, word] of words.entries()) {
    const group = GROUP_OF.get(word);
    // As in "not npm" and "instead of npm".
    const isRejected = words.slice(Math.max(0, at - 2), at).some((before) => NEGATION.test(before));
    if (group === undefined || isRejected) continue;
    choices.set(group, (choices.get(group) ?? new Set()).add(word));
  }
  return {
    topic,
    terms: termsOf(words),
    nameTerms: termsOf(tokenize(topic.slug.replaceAll(/[-_.]/g, " "))),
    numbers: new Set(words.filter((word) => /^\d/.test(word))),
    choices,
    isNegated: words.some((word) => NEGATION.test(word)),
  };
}

function tokenize(text: string): readonly string[] {
  const plain = text.toLowerCase().replaceAll("’", "'");
  return [...plain.matchAll(WORD)].map(([word]) => word);
}

/** The words that say what a text is about, rather than what it says about it. */
function termsOf(words: readonly string[]): ReadonlySet<string> {
  const terms = words.filter(
    (word) => !/^\d/.test(word) && !GROUP_OF.has(word) && !NEGATION.test(word) && !COMMON.has(word),
  );
  return new Set(terms.map(singular));
}

function singular(word: string): string {
  return word.length > 3 ? word.replace(/(?<!s)s$/, "") : word;
}

// Each pair that shares enough rare words, once; `undefined` after every few hundred topics.
function* pairsWithSharedTerms(
  topics: readonly StoredTopic[],
): Generator<readonly [Claim, Claim] | undefined> {
  const byTerm = new Map<string, Claim[]>();
  for (const [at, topic] of topics.entries()) {
    const claim = claimOf(topic);
    const shared = new Map<Claim, number>();
    for (const term of claim.terms) {
      const earlier = byTerm.get(term) ?? [];
      byTerm.set(term, earlier);
      if (earlier.length > MAX_TOPICS_OF_TERM) continue;
      for (const other of earlier) shared.set(other, (shared.get(other) ?? 0) + 1);
      earlier.push(claim);
    }
    for (const [other, count] of shared)
      if (count >= MIN_SHARED_TERMS_OF_CHOICES) yield [other, claim];
    if (at % TOPICS_AT_ONCE === TOPICS_AT_ONCE - 1) yield undefined;
  }
}

const TOPICS_AT_ONCE = 200;

function isSettled(one: StoredTopic, other: StoredTopic): boolean {
  return supersedes(one, other) || supersedes(other, one);
}

function supersedes({ topic }: StoredTopic, { slug }: StoredTopic): boolean {
  return (topic.supersedes ?? []).some((name) => slugKey(name) === slugKey(slug));
}

/** What each of two topics says instead of the other; `undefined` if they may both be true. */
function differenceOf(one: Claim, other: Claim): readonly [string, string] | undefined {
  const shared = [...one.terms].filter((term) => other.terms.has(term)).length;
  const extra = [extraTerms(one, other), extraTerms(other, one)];
  const [fewer, more] = [Math.min(...extra), Math.max(...extra)];
  // If both have a word of their own, they are about two things: the port of the api, and the port of the page.
  if (fewer > 0 || more > MAX_EXTRA_TERMS) return undefined;
  for (const [group, words] of one.choices) {
    const said = differentValues(words, other.choices.get(group));
    if (said !== undefined) return said;
  }
  if (shared < MIN_SHARED_TERMS) return undefined;
  const numbers = differentValues(one.numbers, other.numbers);
  if (numbers !== undefined || one.isNegated === other.isNegated || more > 0) return numbers;
  return one.isNegated ? ["negated", "not negated"] : ["not negated", "negated"];
}

/** How many words of a topic are neither in the description nor in the name of the other. */
function extraTerms({ terms }: Claim, other: Claim): number {
  return [...terms].filter((term) => !other.terms.has(term) && !other.nameTerms.has(term)).length;
}

/** Both say something, and nothing of it is the same. */
function differentValues(
  one: ReadonlySet<string>,
  other: ReadonlySet<string> = new Set(),
): readonly [string, string] | undefined {
  const isDifferent = one.size > 0 && other.size > 0 && ![...one].some((word) => other.has(word));
  return isDifferent ? [[...one].join(", "), [...other].join(", ")] : undefined;
}
