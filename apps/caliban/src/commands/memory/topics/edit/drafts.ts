import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { errorCode, listNames, readTextFile, writeFileAtomic } from "@caliban/common/node";
import { MemoryError, type StoredTopic } from "@caliban/memory";

const MAX_DRAFT_BYTES = 4 * 1024 * 1024;

/** A copy of a topic for the user to edit. Its file name contains the hash of the original text. */
export interface Draft {
  readonly path: string;
  /** The hash of the original text: only a topic that still has it may be replaced. */
  readonly base: string;
}

/** Next to the history, because the directory of the topics may be shared. */
export function draftsDirectory({
  historyDirectory,
}: {
  readonly historyDirectory: string;
}): string {
  return join(dirname(historyDirectory), "drafts");
}

/** The existing drafts of a topic. */
export function draftsOf(directory: string, slug: string): readonly Draft[] {
  return listNames(directory)
    .toSorted()
    .flatMap((name) => {
      const base = name.startsWith(`${slug}.`)
        ? /^([0-9a-f]{12})\.md$/.exec(name.slice(slug.length + 1))?.[1]
        : undefined;
      return base === undefined ? [] : { path: join(directory, name), base };
    });
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
    const message = `cannot create a copy to edit: ${terminalSafeLine(path)}: system error ${code}`;
    throw new MemoryError("UNWRITABLE", message, { cause });
  }
  return { path, base: hash };
}

/**
 * The text that the user left in a draft; `undefined` when the draft no longer exists.
 * @throws MemoryError `REFUSED_FILE` for anything but plain text
 */
export function readDraft({ path }: Draft): string | undefined {
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

export function removeDraft({ path }: Pick<Draft, "path">): void {
  rmSync(path, { force: true });
}
