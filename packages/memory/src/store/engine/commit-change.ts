import {
  type Change,
  type ChangeAction,
  type FileChange,
  newChangeId,
  type Origin,
} from "../../history/change.ts";
import { indexAfter } from "../../index-file/index-after.ts";
import { INDEX_FILE } from "../../topics/limits.ts";
import type { TopicSlug } from "../../topics/slug.ts";
import { assertNoSecretsInAuthor } from "../secrets.ts";
import type { EntryChange } from "../topic-backend.ts";
import type { Author, StoredTopic } from "../topic-store.ts";
import { CONFLICT, type Engine } from "./engine.ts";
import type { IndexState } from "./read-topics.ts";

/** A topic to write or to remove. */
export interface TopicChange {
  readonly slug: TopicSlug;
  /** The topic as it was read; `undefined` if there was none. */
  readonly current: Pick<StoredTopic, "text" | "hash"> | undefined;
  /** `null` removes the topic. */
  readonly after: string | null;
  readonly from?: Origin | undefined;
}

export interface ChangeRequest {
  readonly action: ChangeAction;
  readonly author: Author;
  readonly files: readonly TopicChange[];
  /** The index as it was read. */
  readonly index: IndexState;
  /** The whole index, for changes that write more than the lines of their topics. */
  readonly indexText?: string | undefined;
  /** The change that is undone. */
  readonly of?: string | undefined;
  /** The address that the topic is moved from or to. */
  readonly moved?: string | undefined;
}

export interface Committed {
  /** The id of the change in the history. */
  readonly change: string;
  readonly index: string;
  /** The new version of each topic that was written. */
  readonly versions: ReadonlyMap<string, string>;
}

/** Writes topics, their index lines and the history, completely or not at all. */
export async function commitChange(
  engine: Engine,
  request: ChangeRequest,
): Promise<Committed | typeof CONFLICT> {
  const { author, index, indexText } = request;
  await assertNoSecretsInAuthor(author, engine.findSecrets);
  const files = request.files.map(toFileChange);
  const text = indexText ?? indexAfter(index.text, files);
  const record = toRecord(request, files, new Date(engine.now()).toISOString());
  const changes = [...request.files.map(toEntryChange), ...indexChange(index, text)];
  const result = await engine.backend.commit({ changes, record });
  if (result.kind === "conflict") return CONFLICT;
  engine.isIndexRepaired = true;
  return { change: record.id, index: text, versions: result.versions };
}

/** Writes only the index, which the history does not record. */
export async function commitIndex(
  { backend }: Engine,
  index: IndexState,
  text: string,
): Promise<"committed" | typeof CONFLICT> {
  const changes = [{ name: INDEX_FILE, expected: index.version, text }];
  return (await backend.commit({ changes })).kind;
}

function indexChange({ raw, version }: IndexState, text: string): readonly EntryChange[] {
  return text === raw ? [] : [{ name: INDEX_FILE, expected: version, text }];
}

function toEntryChange({ slug, current, after }: TopicChange): EntryChange {
  return { name: slug, expected: current?.hash ?? null, text: after };
}

function toFileChange({ slug, current, after, from }: TopicChange): FileChange {
  return { slug, before: current?.text ?? null, after, ...(from === undefined ? {} : { from }) };
}

function toRecord(
  { action, author, of, moved, index, indexText }: ChangeRequest,
  files: readonly FileChange[],
  at: string,
): Change {
  const { who, agent, session, user, origin } = author;
  return {
    id: newChangeId(),
    at,
    who,
    ...(agent === undefined ? {} : { agent }),
    ...(session === undefined ? {} : { session }),
    ...(user === undefined ? {} : { user }),
    ...(origin === undefined ? {} : { origin }),
    action,
    ...(of === undefined ? {} : { of }),
    ...(moved === undefined ? {} : { moved }),
    files,
    ...(indexText === undefined ? {} : { index: { before: index.raw, after: indexText } }),
  };
}
