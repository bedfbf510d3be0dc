import { slugKey, slugFromFileName, type TopicSlug } from "../topics/slug.ts";

/** What one change did to one file. `null` stands for no file. */
export interface FileChange {
  readonly slug: TopicSlug;
  readonly before: string | null;
  readonly after: string | null;
  /** Where a text came from that was taken over from another program. */
  readonly from?: Origin | undefined;
}

/** Which program had a text, in which file, and what it was then. */
export interface Origin {
  readonly agent: string;
  readonly path: string;
  readonly sha256: string;
}

/** The whole index before and after; `null` stands for no file. */
export interface IndexTexts {
  readonly before: string | null;
  readonly after: string;
}

export type ChangeAction = "write" | "edit" | "rename" | "remove" | "undo" | "import" | "fix";

/** One change of the store, as the history keeps it: who, when, and the texts before and after. */
export interface Change {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** `other`: somebody who writes into the directory without us, and was noticed afterwards. */
  readonly who: "agent" | "person" | "other";
  readonly session?: string | undefined;
  readonly action: ChangeAction;
  /** The change that was undone. */
  readonly of?: string | undefined;
  readonly files: readonly FileChange[];
  /** Of a change that put a text of its own into the index: all others only put lines, which the topics tell. */
  readonly index?: IndexTexts | undefined;
  /** Whether its texts were taken out for good. */
  readonly isErased?: boolean | undefined;
}

/** What stands at the end of a history after a change that was carried out. */
export interface DoneMark {
  readonly done: string;
}

export function renderChange(change: Change): string {
  return `${JSON.stringify(change)}\n`;
}

export function renderDoneMark(id: string): string {
  return `${JSON.stringify({ done: id } satisfies DoneMark)}\n`;
}

/** `undefined` for a line that is none of ours, such as the half of one that a crash left. */
export function parseHistoryLine(line: string): Change | DoneMark | undefined {
  const value = parseJson(line);
  if (typeof value !== "object" || value === null) return undefined;
  const done: unknown = Reflect.get(value, "done");
  return typeof done === "string" ? { done } : parseChange((name) => Reflect.get(value, name));
}

function parseChange(field: (name: string) => unknown): Change | undefined {
  const [id, at, who, action] = ["id", "at", "who", "action"].map(field);
  const files = parseFiles(field("files"));
  if (typeof id !== "string" || typeof at !== "string" || files === undefined) return undefined;
  if (!isAction(action) || (who !== "agent" && who !== "person" && who !== "other"))
    return undefined;
  return { id, at, who, action, files, ...parseNotes(field) };
}

function parseNotes(
  field: (name: string) => unknown,
): Pick<Change, "session" | "of" | "isErased" | "index"> {
  const [session, of, isErased] = ["session", "of", "isErased"].map(field);
  const index = parseIndexTexts(field("index"));
  return {
    ...(index === undefined ? {} : { index }),
    ...(typeof session === "string" ? { session } : {}),
    ...(typeof of === "string" ? { of } : {}),
    ...(isErased === true ? { isErased } : {}),
  };
}

/** The changes that hold no more, of a list with the oldest first. One whose undoing was undone holds again. */
export function undoneIds(changes: readonly Change[]): ReadonlySet<string> {
  const undone = new Set<string>();
  // The last first: an undoing counts unless something after it took it back.
  for (const { id, of } of changes.toReversed()) {
    if (of !== undefined && !undone.has(id)) undone.add(of);
  }
  return undone;
}

/**
 * The changes that hold and are no undoing themselves, the last first: what `undo` goes back through. What others did
 * is undone only when it is named.
 */
export function undoableChanges(changes: readonly Change[]): readonly Change[] {
  const undone = undoneIds(changes);
  return changes
    .filter(({ id, action, who }) => action !== "undo" && who !== "other" && !undone.has(id))
    .toReversed();
}

/** The text that each topic has by the history, `null` when it was removed; what was erased nobody knows. */
export function lastTexts(
  changes: readonly Change[],
  earlier: Iterable<readonly [TopicSlug, string | null]> = [],
): ReadonlyMap<TopicSlug, string | null> {
  const last = new Map<TopicSlug, string | null>(earlier);
  for (const { files } of changes) {
    for (const { slug, before, after } of files) {
      if (before === null && after === null) last.delete(slug);
      else last.set(slug, after);
    }
  }
  return last;
}

/** The changes of a topic, the newest first in and out, under whatever name it had before. */
export function changesOfTopic(changes: readonly Change[], slug: TopicSlug): readonly Change[] {
  const keys = new Set([slugKey(slug)]);
  return changes.filter((change) => {
    for (const key of formerKeys(change, keys)) keys.add(key);
    return change.files.some((file) => keys.has(slugKey(file.slug)));
  });
}

/** The changes without what they say about a topic, under whatever name it had then; the others are the same. */
export function eraseTexts(changes: readonly Change[], slug: TopicSlug): readonly Change[] {
  const keys = new Set([slugKey(slug)]);
  // The last first, because a rename tells the name that it had before.
  const kept = changes.toReversed().map((change) => {
    for (const key of formerKeys(change, keys)) keys.add(key);
    return withoutText(change, keys);
  });
  return kept.toReversed();
}

function formerKeys({ files }: Change, keys: ReadonlySet<string>): readonly string[] {
  const isArrival = files.some(
    (file) => file.before === null && file.after !== null && keys.has(slugKey(file.slug)),
  );
  return isArrival
    ? files.filter(({ after }) => after === null).map((file) => slugKey(file.slug))
    : [];
}

function withoutText(change: Change, keys: ReadonlySet<string>): Change {
  if (!change.files.some((file) => keys.has(slugKey(file.slug)))) return change;
  const files = change.files.map((file) =>
    keys.has(slugKey(file.slug)) ? { slug: file.slug, before: null, after: null } : file,
  );
  // A text of the index may say what the topic said.
  const { index: _, ...rest } = change;
  return { ...rest, files, isErased: true };
}

function parseFiles(value: unknown): readonly FileChange[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const items: readonly unknown[] = value;
  const files = items.flatMap((item) => parseFile(item) ?? []);
  return files.length === items.length ? files : undefined;
}

function parseFile(item: unknown): FileChange | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const name: unknown = Reflect.get(item, "slug");
  const before: unknown = Reflect.get(item, "before");
  const after: unknown = Reflect.get(item, "after");
  // A history is a file like any other: a name in it is proven like any other.
  const slug = typeof name === "string" ? slugFromFileName(`${name}.md`) : undefined;
  if (slug === undefined || !isTextOrNull(before) || !isTextOrNull(after)) return undefined;
  const from = parseOrigin(Reflect.get(item, "from"));
  return { slug, before, after, ...(from === undefined ? {} : { from }) };
}

function parseOrigin(value: unknown): Origin | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const field = (name: string): unknown => Reflect.get(value, name);
  const [agent, path, sha256] = ["agent", "path", "sha256"].map(field);
  return typeof agent === "string" && typeof path === "string" && typeof sha256 === "string"
    ? { agent, path, sha256 }
    : undefined;
}

function parseIndexTexts(value: unknown): IndexTexts | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const before: unknown = Reflect.get(value, "before");
  const after: unknown = Reflect.get(value, "after");
  return isTextOrNull(before) && typeof after === "string" ? { before, after } : undefined;
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

const ACTIONS: readonly ChangeAction[] = [
  "write",
  "edit",
  "rename",
  "remove",
  "undo",
  "import",
  "fix",
];

function isAction(value: unknown): value is ChangeAction {
  return ACTIONS.some((action) => action === value);
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
