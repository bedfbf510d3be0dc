import { isRecord, parseJsonRecord } from "@caliban/common";
import { slugFromFileName, type TopicSlug } from "../topics/slug.ts";
import { MEMORY_ORIGINS, type MemoryOrigin } from "../topics/topic-fields.ts";

/** What one change did to one file. `null` means that there was no file. */
export interface FileChange {
  readonly slug: TopicSlug;
  readonly before: string | null;
  readonly after: string | null;
  /** Where the text was imported from. */
  readonly from?: Origin | undefined;
}

/** The file of another program that a text was imported from. */
export interface Origin {
  readonly agent: string;
  readonly path: string;
  readonly sha256: string;
}

/** The whole index before and after; `null` means that there was no file. */
export interface IndexTexts {
  readonly before: string | null;
  readonly after: string;
}

export type ChangeAction = "write" | "edit" | "rename" | "remove" | "undo" | "import" | "fix";

/** One change of the store in the history: who, when, and the texts before and after. */
export interface Change {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  /** `other` is an external change: another program wrote to the directory, and the store noticed later. */
  readonly who: "agent" | "person" | "other";
  /** Which agent or user, if a store is used by several. */
  readonly agent?: string | undefined;
  readonly user?: string | undefined;
  readonly session?: string | undefined;
  /** Where the text comes from. */
  readonly origin?: MemoryOrigin | undefined;
  readonly action: ChangeAction;
  /** The change that was undone. */
  readonly of?: string | undefined;
  /** The address that the topic was moved from or to. */
  readonly moved?: string | undefined;
  readonly files: readonly FileChange[];
  /** Only if the change wrote its own index text. All others write lines that follow from the topics. */
  readonly index?: IndexTexts | undefined;
  /** Whether its texts were erased for good. */
  readonly isErased?: boolean | undefined;
  /** When the text that it wrote was erased, if only that was. ISO 8601. */
  readonly erasedAt?: string | undefined;
}

export function newChangeId(): string {
  // oxlint-disable-next-line no-restricted-globals -- every runtime has it, and no test depends on an id
  return crypto.randomUUID().slice(0, 8);
}

/** A line after a change that was carried out completely. */
export interface DoneMark {
  readonly done: string;
}

export function renderChange(change: Change): string {
  return `${JSON.stringify(change)}\n`;
}

export function renderDoneMark(id: string): string {
  return `${JSON.stringify({ done: id } satisfies DoneMark)}\n`;
}

/** `undefined` for an invalid line, such as a partial one after a crash. */
export function parseHistoryLine(line: string): Change | DoneMark | undefined {
  const value = parseJsonRecord(line);
  if (value === undefined) return undefined;
  const { done } = value;
  return typeof done === "string" ? { done } : parseChange(value);
}

type JsonRecord = Readonly<Record<string, unknown>>;

/** `undefined` for a value that is not a change. */
export function parseChange(value: JsonRecord): Change | undefined {
  const { id, at, who, action } = value;
  const files = parseFiles(value["files"]);
  if (typeof id !== "string" || typeof at !== "string" || files === undefined) return undefined;
  if (!isAction(action) || (who !== "agent" && who !== "person" && who !== "other"))
    return undefined;
  return { id, at, who, action, files, ...parseOptional(value) };
}

function parseOptional(
  value: JsonRecord,
): Pick<
  Change,
  "agent" | "user" | "session" | "origin" | "of" | "moved" | "isErased" | "erasedAt" | "index"
> {
  const { agent, user, session, of, moved, isErased, erasedAt } = value;
  const origin = MEMORY_ORIGINS.find((known) => known === value["origin"]);
  const index = parseIndexTexts(value["index"]);
  return {
    ...(index === undefined ? {} : { index }),
    ...(typeof agent === "string" ? { agent } : {}),
    ...(typeof user === "string" ? { user } : {}),
    ...(typeof session === "string" ? { session } : {}),
    ...(origin === undefined ? {} : { origin }),
    ...(typeof of === "string" ? { of } : {}),
    ...(typeof moved === "string" ? { moved } : {}),
    ...(isErased === true ? { isErased } : {}),
    ...(typeof erasedAt === "string" ? { erasedAt } : {}),
  };
}

function parseFiles(value: unknown): readonly FileChange[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const items: readonly unknown[] = value;
  const files = items.flatMap((item) => parseFile(item) ?? []);
  return files.length === items.length ? files : undefined;
}

function parseFile(item: unknown): FileChange | undefined {
  if (!isRecord(item)) return undefined;
  const { slug: name, before, after } = item;
  // The history is a file like any other, so its names are validated, too.
  const slug = typeof name === "string" ? slugFromFileName(`${name}.md`) : undefined;
  if (slug === undefined || !isTextOrNull(before) || !isTextOrNull(after)) return undefined;
  const from = parseOrigin(item["from"]);
  return { slug, before, after, ...(from === undefined ? {} : { from }) };
}

function parseOrigin(value: unknown): Origin | undefined {
  if (!isRecord(value)) return undefined;
  const { agent, path, sha256 } = value;
  return typeof agent === "string" && typeof path === "string" && typeof sha256 === "string"
    ? { agent, path, sha256 }
    : undefined;
}

function parseIndexTexts(value: unknown): IndexTexts | undefined {
  if (!isRecord(value)) return undefined;
  const { before, after } = value;
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
