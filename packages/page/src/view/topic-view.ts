import type { MemoryUse, StoredTopic } from "@caliban/memory";
import type { KnownTopic, PageScope, TopicDetails } from "../data.ts";
import type { LinkGraph } from "./link-graph.ts";

/** A line of the list of topics. */
export interface TopicRow extends Omit<KnownTopic, "use"> {
  readonly scope: PageScope;
  readonly uses: number;
  readonly lastUsedMs: number | undefined;
}

export function topicRow(scope: PageScope, { use, ...topic }: KnownTopic): TopicRow {
  const uses = use === undefined ? 0 : use.shown + use.read + use.found;
  return { ...topic, scope, uses, lastUsedMs: use?.lastMs };
}

/** One topic with its whole text. */
export interface TopicView {
  readonly scope: PageScope;
  readonly slug: string;
  /** The version, for `ifMatch`. */
  readonly hash: string;
  readonly text: string;
  readonly body: string;
  readonly description: string;
  readonly type: string | undefined;
  readonly updatedMs: number;
  /** What its header says, as label and value. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly problems: readonly string[];
}

/** What is known about a topic besides its text. */
export interface TopicDetailsView {
  /** `null` if no session used it. */
  readonly use: MemoryUse | null;
  readonly evidence: TopicDetails["evidence"];
  readonly graph: LinkGraph;
}

export function topicView(scope: PageScope, stored: StoredTopic): TopicView {
  const { slug, hash, text, topic, updatedMs } = stored;
  const { body, description, type, problems } = topic;
  return {
    scope,
    slug,
    hash,
    text,
    body,
    description,
    type,
    updatedMs,
    facts: factsOf(topic),
    problems: problems.map(({ line, message }) => `line ${line}: ${message}`),
  };
}

function factsOf(topic: StoredTopic["topic"]): TopicView["facts"] {
  const {
    origin,
    session,
    after = [],
    applies,
    supersedes = [],
    evidence = [],
    expect = [],
  } = topic;
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ["origin", origin === undefined ? [] : [origin]],
    ["session", session === undefined ? [] : [session]],
    ["written after using", after],
    ["applies to paths", applies?.paths ?? []],
    ["applies to commands", applies?.commands ?? []],
    ["supersedes", supersedes],
    ["evidence", evidence.map(({ path, snippet }) => `${path}: ${snippet}`)],
    ["expect", expect],
  ];
  return lists
    .filter(([, values]) => values.length > 0)
    .map(([label, values]) => [label, values.join(", ")]);
}
