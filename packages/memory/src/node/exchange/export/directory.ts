import { join } from "node:path";
import type { Diagnostic } from "@caliban/common";
import {
  createFileAtomic,
  errorCode,
  nodeDisk,
  readTextFile,
  type TextFile,
  writeFileAtomic,
} from "@caliban/common/node";
import { INDEX_FILE, MAX_TOPIC_BYTES } from "../../../topics/limits.ts";
import type { StoreFiles } from "../../../store/stored-files.ts";
import { toExportFiles } from "./export-file.ts";
import { extendIndex } from "./extend-index.ts";
import { refuseOutside } from "./refuse-outside.ts";

/** A file of an export into a directory: what would happen to it, or what happened. */
export interface ExportedFile {
  readonly name: string;
  readonly state:
    | "create"
    | "created"
    | "replace"
    | "replaced"
    | "extend"
    | "extended"
    | "unchanged"
    | "refused";
  /** How many lines an index with other content gets, one for each topic that it does not list. */
  readonly addedLines?: number | undefined;
  /** Why the file was refused. */
  readonly problem?: Diagnostic<ExportProblem> | undefined;
}

/** `DIFFERENT`: the directory has a file with other content, and replacing was not requested. */
type ExportProblem = "DIFFERENT" | "UNREADABLE" | "CHANGED" | "UNWRITABLE" | "OUTSIDE_WORKSPACE";

export interface DirectoryExport {
  readonly directory: string;
  readonly files: readonly ExportedFile[];
  /** Writes the files that are new or to be replaced, the index last. */
  readonly write: () => Promise<readonly ExportedFile[]>;
}

/**
 * Plans an export of the files, unchanged, into a directory: the layout of caliban and Claude Code. Nothing is written
 * before `write` is called.
 */
export function planDirectoryExport(input: {
  readonly directory: string;
  readonly files: StoreFiles;
  /** Whether to replace files with other content. */
  readonly replace?: boolean;
  /** The workspace that no link may lead out of; `undefined` if the user owns the directory. */
  readonly workspaceRoot?: string | undefined;
}): DirectoryExport {
  const { directory, files, replace = false, workspaceRoot } = input;
  const all = toExportFiles(files).map(({ name, text }) =>
    planFile({ name, text, path: join(directory, name), replace, workspaceRoot }),
  );
  const refusedNames = new Set(
    all.flatMap(({ file }) => (file.state === "refused" ? [file.name] : [])),
  );
  const planned = all.map((each) =>
    each.file.name === INDEX_FILE ? planIndex(each, files, refusedNames) : each,
  );
  return {
    directory,
    files: planned.map(({ file }) => file),
    write: async () => {
      const written: ExportedFile[] = [];
      // The index last.
      for (const each of planned) written.push(await writeFile(directory, each));
      return written;
    },
  };
}

interface PlannedFile {
  readonly file: ExportedFile;
  readonly path: string;
  readonly text: string;
  readonly workspaceRoot?: string | undefined;
  /** The text that is to be replaced. */
  readonly previous?: string;
}

function planFile(input: {
  readonly name: string;
  readonly text: string;
  readonly path: string;
  readonly replace: boolean;
  readonly workspaceRoot: string | undefined;
}): PlannedFile {
  const { name, text, path, replace, workspaceRoot } = input;
  const outside = refusedOutside({ name, path, workspaceRoot });
  if (outside !== undefined) return { file: outside, path, text };
  const existing = readExisting(path);
  if (existing.kind === "missing")
    return { file: { name, state: "create" }, path, text, workspaceRoot };
  if (existing.kind !== "text")
    return { file: refused(name, "UNREADABLE", existing.message), path, text };
  const isPartial = existing.invalidAt !== undefined || existing.readBytes < existing.fileBytes;
  if (isPartial && !replace)
    return { file: refused(name, "DIFFERENT", "exists with different content"), path, text };
  const isSame = existing.text === text && existing.invalidAt === undefined;
  const file: ExportedFile = isSame
    ? { name, state: "unchanged" }
    : replace
      ? { name, state: "replace" }
      : refused(name, "DIFFERENT", "exists with different content");
  return { file, path, text, workspaceRoot, previous: existing.text };
}

/** Another index keeps its text: it may list topics that only the other program has. */
function planIndex(
  planned: PlannedFile,
  files: StoreFiles,
  refusedNames: ReadonlySet<string>,
): PlannedFile {
  const { file, previous } = planned;
  if (file.problem?.code !== "DIFFERENT" || previous === undefined) return planned;
  const isExported = (slug: string): boolean => !refusedNames.has(`${slug}.md`);
  const { text, addedCount } = extendIndex(previous, files, isExported);
  const state = addedCount === 0 ? "unchanged" : "extend";
  return { ...planned, file: { name: file.name, state, addedLines: addedCount }, text };
}

function refusedOutside(input: {
  readonly name: string;
  readonly path: string;
  readonly workspaceRoot: string | undefined;
}): ExportedFile | undefined {
  const { name, path, workspaceRoot } = input;
  const problem = workspaceRoot === undefined ? undefined : refuseOutside(workspaceRoot, path);
  return problem && refused(name, problem.code, problem.message);
}

function readExisting(path: string): TextFile {
  return readTextFile(path, MAX_TOPIC_BYTES * 64, { refuseLinks: true });
}

async function writeFile(
  directory: string,
  { file, path, text, previous, workspaceRoot }: PlannedFile,
): Promise<ExportedFile> {
  const { name, state } = file;
  const outside = refusedOutside({ name, path, workspaceRoot });
  if (outside !== undefined) return outside;
  try {
    if (state === "create") {
      await nodeDisk.makeDirectory(directory);
      await createFileAtomic(path, text);
      return { name, state: "created" };
    }
    if (state !== "replace" && state !== "extend") return file;
    // The user may have taken a while to confirm, and the other program keeps writing.
    const now = readExisting(path);
    if (now.kind !== "text" || now.text !== previous)
      return refused(name, "CHANGED", "changed in the meantime");
    await writeFileAtomic(path, text);
    return state === "extend" ? { ...file, state: "extended" } : { name, state: "replaced" };
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return code === "EEXIST"
      ? refused(name, "CHANGED", "created in the meantime")
      : refused(name, "UNWRITABLE", `system error ${code}`);
  }
}

function refused(name: string, code: ExportProblem, message: string): ExportedFile {
  return { name, state: "refused", problem: { code, message, path: name } };
}
