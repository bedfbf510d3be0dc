import type { TeamState, Unapproved, UsedTopic } from "../state/state.ts";
import type { TeamAuthor } from "../team/author.ts";
import type { TopicChange } from "../team/changes.ts";

/** What is known about a topic of the remote that is not as it was. */
export interface IncomingTopic {
  readonly slug: string;
  /** The text, unless the topic was removed or cannot be used. */
  readonly text: string | undefined;
  readonly oid: string | undefined;
  /** Everyone who changed it since the head before; empty if that is not known. */
  readonly authors: readonly TeamAuthor[];
  readonly at: string;
}

/** Of changes that no commit explains. */
const UNKNOWN: TeamAuthor = { name: "unknown", email: "", isApproved: false };

/** Uses what approved authors changed, and lets the rest wait. */
export function takeOver(
  state: TeamState,
  topics: readonly IncomingTopic[],
): { readonly state: TeamState; readonly received: readonly TopicChange[] } {
  const [used, unapproved] = [new Map(state.used), new Map(state.unapproved)];
  const received: TopicChange[] = [];
  for (const topic of topics) {
    const { slug, text, oid, at } = topic;
    const before = used.get(slug);
    const waiting = unapproved.get(slug);
    unapproved.delete(slug);
    if (before?.oid === oid) continue;
    const authors = authorsOf(topic, waiting);
    const isInvalid = oid !== undefined && text === undefined;
    if (authors.length > 0 || isInvalid) {
      unapproved.set(slug, { authors, at, text, rejected: waiting?.rejected });
      continue;
    }
    if (text === undefined || oid === undefined) used.delete(slug);
    else used.set(slug, { oid, text, author: topic.authors[0] ?? UNKNOWN, at });
    received.push({ slug, action: actionOf(before, text) });
  }
  return { state: { ...state, used, unapproved }, received };
}

/** Everyone who changed the topic since the version that is used, and is not approved. */
function authorsOf(
  { authors }: IncomingTopic,
  waiting: Unapproved | undefined,
): readonly TeamAuthor[] {
  const added = authors.length === 0 ? [UNKNOWN] : authors;
  const all = [...(waiting?.authors ?? []), ...added];
  return uniqueAuthors(all.filter(({ isApproved }) => !isApproved));
}

/** Uses a change that waited, because the user says so. */
export function useWaiting(state: TeamState, slug: string): TeamState {
  const waiting = state.unapproved.get(slug);
  if (waiting === undefined) return state;
  const [used, unapproved] = [new Map(state.used), new Map(state.unapproved)];
  const oid = state.topics.get(slug);
  const author = waiting.authors[0] ?? UNKNOWN;
  if (waiting.text === undefined || oid === undefined) used.delete(slug);
  else used.set(slug, { oid, text: waiting.text, author, at: waiting.at });
  unapproved.delete(slug);
  return { ...state, used, unapproved };
}

/** Uses everything that waited only for this key. */
export function approveKey(state: TeamState, key: string): TeamState {
  const unapproved = new Map(state.unapproved);
  const approved: string[] = [];
  for (const [slug, waiting] of state.unapproved) {
    const authors = waiting.authors.map((author) =>
      author.key === key ? { ...author, isApproved: true } : author,
    );
    const open = authors.filter(({ isApproved }) => !isApproved);
    unapproved.set(slug, { ...waiting, authors: open.length === 0 ? authors : open });
    if (open.length === 0 && !state.invalid.includes(slug)) approved.push(slug);
  }
  return approved.reduce(useWaiting, { ...state, unapproved });
}

/** Whether something waits for the user. */
export function isWaiting(state: TeamState, slug: string): boolean {
  const waiting = state.unapproved.get(slug);
  if (waiting === undefined || state.invalid.includes(slug)) return false;
  if (waiting.text === undefined && !state.used.has(slug)) return false;
  return waiting.rejected !== (state.topics.get(slug) ?? "removed");
}

function actionOf(before: UsedTopic | undefined, text: string | undefined): TopicChange["action"] {
  if (text === undefined) return "unshare";
  return before === undefined ? "share" : "edit";
}

function uniqueAuthors(authors: readonly TeamAuthor[]): readonly TeamAuthor[] {
  return [
    ...new Map(
      authors.map((author) => [`${author.key}\0${author.email}\0${author.name}`, author]),
    ).values(),
  ];
}
