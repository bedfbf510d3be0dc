import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  type CommandMessage,
  shellCommand,
  spellCommands,
  terminalSafeLine,
  withCommands,
} from "@caliban/common";
import { errorCode, listNames, readTextFile, writeFileAtomic } from "@caliban/common/node";
import { checkArguments } from "../../check-arguments.ts";
import { isMemoryError, MemoryError, type MemoryErrorCode } from "../../errors.ts";
import { fileVersion } from "./files/topic-files.ts";
import type {
  EditTopicInput,
  EditTopicResult,
  StoredTopic,
  TopicStore,
} from "../../store/topic-store.ts";

/** A copy of a topic for the user to edit. Its file name contains the hash of the original text. */
export interface Draft {
  readonly slug: string;
  readonly path: string;
  /** Whether an earlier edit that could not be saved continues. */
  readonly isContinued: boolean;
  /** Unsaved edits of older versions, which only the user can merge. */
  readonly olderPaths: readonly string[];
}

export interface EditTopicFileInput extends Pick<EditTopicInput, "name" | "allowSecrets"> {
  /** Lets the user edit the draft. Returns the reason if that failed, without a period. */
  readonly edit: (draft: Draft) => Promise<string | undefined>;
}

/** What is needed of the result of `openTopicStore`. */
interface DraftedTopics {
  readonly store: Pick<TopicStore, "read" | "edit">;
  readonly draftsDirectory: string;
}

/** What became of an edit. The message has no period, because more may follow. */
export interface EditedTopicFile extends CommandMessage {
  /** `failed`: the editor did. `gone`: another edit has used the draft. An error code: the text was refused. */
  readonly kind: EditTopicResult["kind"] | "gone" | "failed" | MemoryErrorCode;
  readonly slug: string;
  /** The path of the draft, if the edit was not saved: the next edit continues it. */
  readonly draft?: string | undefined;
}

/**
 * Lets the user edit a copy of a topic, and saves it if it is valid and the topic is still the same. An edit that cannot
 * be saved is kept. `undefined` if there is no such topic.
 *
 * @throws MemoryError `UNWRITABLE` or `REFUSED_FILE` for the draft
 *
 * @example
 * import { editTopicFile, openTopicStore } from "@caliban/memory/node";
 *
 * const topics = await openTopicStore({ workspace: process.cwd(), env: { HOME: process.cwd() } });
 * const edited = await editTopicFile(topics, {
 *   name: "deploy",
 *   edit: async ({ path }) => (path === "" ? "no editor" : undefined), // open your editor here
 * });
 * console.log(edited?.message);
 */
export async function editTopicFile(
  topics: DraftedTopics,
  input: EditTopicFileInput,
): Promise<EditedTopicFile | undefined> {
  checkArguments("editTopicFile", topics, { store: "object", draftsDirectory: "string" });
  checkArguments("editTopicFile", input, { name: "string", edit: "function" });
  const { store, draftsDirectory } = topics;
  const { name, edit, allowSecrets = false } = input;
  const topic = await store.read(name);
  if (topic === undefined) return undefined;
  const { slug, hash } = topic;
  const draft = await openDraft(draftsDirectory, topic);
  const failure = await edit(draft);
  const text = readDraft(draft.path);
  const outcome: Omit<EditedTopicFile, "slug"> =
    failure !== undefined
      ? { kind: "failed", message: `${failure}; nothing was saved` }
      : text === undefined
        ? { kind: "gone", message: "another edit of this topic has already used your copy" }
        : await save(store, { name: slug, text, ifMatch: hash, allowSecrets });
  // An unchanged draft is not worth keeping.
  const isKept = !SAVED.has(outcome.kind) && text !== undefined && text !== topic.text;
  if (!isKept) rmSync(draft.path, { force: true });
  return { ...outcome, slug, draft: isKept ? draft.path : undefined };
}

const SAVED: ReadonlySet<EditedTopicFile["kind"]> = new Set(["edited", "unchanged"] as const);

async function save(
  store: DraftedTopics["store"],
  edit: Omit<EditTopicInput, "author">,
): Promise<Pick<EditedTopicFile, "kind" | "message" | "parts">> {
  const { name } = edit;
  const slug = terminalSafeLine(name);
  try {
    const { kind } = await store.edit({ ...edit, author: { who: "person", origin: "user" } });
    if (kind === "edited") return { kind, message: `saved ${slug}` };
    if (kind === "unchanged") return { kind, message: `${slug} is unchanged` };
    const what = kind === "missing" ? "removed" : "changed";
    return { kind, message: `${slug} was ${what} while you were editing it` };
  } catch (error) {
    if (!isMemoryError(error)) throw error;
    return { kind: error.code, ...safeClause(withCommands`${name}.md: ${error}`) };
  }
}

/** A message on one line, without a period. */
function safeClause({ message, parts = [message] }: CommandMessage): CommandMessage {
  const safe = parts.map((part, index) => {
    if (typeof part !== "string") return { command: terminalSafeLine(part.command) };
    const line = terminalSafeLine(part);
    return index === parts.length - 1 ? line.replace(/\.$/, "") : line;
  });
  const text = spellCommands({ message, parts: safe }, shellCommand);
  return safe.length === 1 ? { message: text } : { message: text, parts: safe };
}

/** Continues a draft of the present text. Drafts of older texts are only mentioned. */
async function openDraft(directory: string, { slug, text }: StoredTopic): Promise<Draft> {
  const path = join(directory, `${slug}.${fileVersion(text)}.md`);
  const paths = draftsOf(directory, slug);
  const isContinued = paths.includes(path);
  if (!isContinued) await createDraft(path, text);
  return { slug, path, isContinued, olderPaths: paths.filter((each) => each !== path) };
}

function draftsOf(directory: string, slug: string): readonly string[] {
  return listNames(directory)
    .filter(
      (name) =>
        name.startsWith(`${slug}.`) && /^[0-9a-f]{12}\.md$/.test(name.slice(slug.length + 1)),
    )
    .toSorted()
    .map((name) => join(directory, name));
}

async function createDraft(path: string, text: string): Promise<void> {
  try {
    mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
    await writeFileAtomic(path, text);
  } catch (cause) {
    const code = errorCode(cause);
    if (code === undefined) throw cause;
    const message = `cannot create a copy to edit: ${terminalSafeLine(path)}: system error ${code}`;
    throw new MemoryError("UNWRITABLE", message, { cause });
  }
}

const MAX_DRAFT_BYTES = 4 * 1024 * 1024;

/** The text that the user left in a draft; `undefined` when the draft no longer exists. */
function readDraft(path: string): string | undefined {
  const file = readTextFile(path, MAX_DRAFT_BYTES, { refuseLinks: true });
  if (file.kind === "missing") return undefined;
  const problem =
    file.kind !== "text"
      ? file.message
      : file.readBytes < file.fileBytes
        ? `larger than ${MAX_DRAFT_BYTES} bytes`
        : file.invalidAt && `not valid UTF-8 at line ${file.invalidAt.line}`;
  if (problem === undefined && file.kind === "text") return file.text;
  throw new MemoryError("REFUSED_FILE", `cannot use ${terminalSafeLine(path)}: ${problem}`);
}

/** Removes all drafts of a topic. */
export function removeDrafts(directory: string, slug: string): void {
  for (const path of draftsOf(directory, slug)) rmSync(path, { force: true });
}
