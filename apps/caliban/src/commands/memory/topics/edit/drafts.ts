import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { errorCode, readTextFile, writeFileAtomic } from "@caliban/common/node";
import { MemoryError, type StoredTopic } from "@caliban/memory";

const MAX_DRAFT_BYTES = 4 * 1024 * 1024;

/** A copy of a topic that a person edits, named after the text it began with. */
export interface Draft {
  readonly path: string;
  /** The hash of that text: only what still has it may be replaced. */
  readonly base: string;
}

/** Where drafts are: beside the history, because the directory of topics may be shared. */
export function draftsDirectory({
  historyDirectory,
}: {
  readonly historyDirectory: string;
}): string {
  return join(dirname(historyDirectory), "drafts");
}

/** The drafts of a topic that are still there. */
export function draftsOf(directory: string, slug: string): readonly Draft[] {
  return draftNames(directory).flatMap((name) => {
    const base = name.startsWith(`${slug}.`)
      ? /^([0-9a-f]{12})\.md$/.exec(name.slice(slug.length + 1))?.[1]
      : undefined;
    return base === undefined ? [] : { path: join(directory, name), base };
  });
}

/** The names of all drafts. */
function draftNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory).toSorted();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}

/** @throws MemoryError `UNWRITABLE` */
export async function createDraft(
  directory: string,
  { slug, hash, text }: StoredTopic,
): Promise<Draft> {
  const path = join(directory, `${slug}.${hash}.md`);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    await writeFileAtomic(path, text);
  } catch (cause) {
    const code = errorCode(cause);
    if (code === undefined) throw cause;
    const sentence = `${terminalSafeLine(path)} cannot be written (${code}), so there is nothing to open`;
    throw new MemoryError("UNWRITABLE", sentence, { cause });
  }
  return { path, base: hash };
}

/**
 * What the person left in a draft; `undefined` when it is gone.
 * @throws MemoryError `REFUSED_FILE` for what is no plain text
 */
export async function readDraft({ path }: Draft): Promise<string | undefined> {
  const file = readTextFile(path, MAX_DRAFT_BYTES, { refuseLinks: true });
  if (file.kind === "missing") return undefined;
  const problem =
    file.kind !== "text"
      ? file.message
      : file.readBytes < file.fileBytes
        ? `it has more than ${MAX_DRAFT_BYTES} bytes`
        : file.invalidAt && `line ${file.invalidAt.line} is not UTF-8`;
  if (problem === undefined && file.kind === "text") return file.text;
  throw new MemoryError("REFUSED_FILE", `${terminalSafeLine(path)} cannot be used: ${problem}`);
}

export function removeDraft({ path }: Pick<Draft, "path">): void {
  rmSync(path, { force: true });
}
