import type { TeamState } from "../../state/state.ts";
import type { TopicChange } from "../../team/changes.ts";
import type { UnusableCode } from "../../team/sync-result.ts";
import type { TopicEntries } from "../../tree/read-entries.ts";
import { type IncomingTopic, takeOver } from "../../trust/take-over.ts";
import type { Repository } from "../git/repository.ts";
import { readHistory } from "../trust/read-history.ts";
import { checkContents, pathOf } from "./check-contents.ts";
import { EMPTY, readTree, REMOVED, TOPICS } from "./read-tree.ts";

export type Received =
  | {
      readonly kind: "received";
      readonly state: TeamState;
      readonly received: readonly TopicChange[];
      /** Changes of this user that the remote has already. */
      readonly sent: readonly string[];
    }
  | { readonly kind: "unusable"; readonly code: UnusableCode; readonly message: string };

/** Takes over a head of the remote. Everything in it is data of others. */
export async function receive(
  repository: Repository,
  state: TeamState,
  head: string | undefined,
): Promise<Received> {
  const tree = head === undefined ? EMPTY : await readTree(repository, head);
  if ("code" in tree) return { kind: "unusable", ...tree };
  const { topics, removed } = tree;
  const oids = new Map([...topics.files].map(([slug, { oid }]) => [slug, oid]));
  const changed = changedSlugs(state, oids);
  const checked = await checkContents(repository, topics, changed);
  const history = await readHistory(repository, { state, head, slugs: new Set(changed) });
  const incoming = changed.map((slug): IncomingTopic => {
    const commits = history.bySlug.get(slug);
    return {
      slug,
      oid: oids.get(slug),
      text: checked.texts.get(slug),
      authors: commits?.authors ?? [],
      at: commits?.at ?? history.at,
    };
  });
  const stillInvalid = state.refused.filter(({ path }) =>
    state.invalid.some(
      (slug) => path === pathOf(slug) && !changed.includes(slug) && oids.has(slug),
    ),
  );
  const taken = takeOver(state, incoming);
  const next: TeamState = {
    ...taken.state,
    head,
    topics: oids,
    removed: new Map([...removed.files].map(([slug, { oid }]) => [slug, oid])),
    kept: new Map([...keptOf(TOPICS, topics), ...keptOf(REMOVED, removed)]),
    refused: [
      ...tree.refused,
      ...topics.refused,
      ...removed.refused,
      ...checked.refused,
      ...stillInvalid,
    ],
    invalid: [
      ...checked.invalid,
      ...state.invalid.filter((slug) => !changed.includes(slug) && oids.has(slug)),
    ],
    pushing: [],
    keys: new Map([...state.keys, ...history.keys]),
    acceptedRewrite: undefined,
  };
  return { kind: "received", state: next, received: taken.received, sent: history.sent };
}

function changedSlugs(state: TeamState, oids: ReadonlyMap<string, string>): readonly string[] {
  const changed = [...oids].filter(([slug, oid]) => state.topics.get(slug) !== oid);
  const removed = [...state.topics.keys()].filter((slug) => !oids.has(slug));
  return [...changed.map(([slug]) => slug), ...removed];
}

function keptOf(directory: string, { kept }: TopicEntries): readonly (readonly [string, string])[] {
  return kept.map(({ name = "", oid }) => [`${directory}/${name}`, oid] as const);
}
