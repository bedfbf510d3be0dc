import { chmodSync } from "node:fs";
import type { Diagnostic } from "@caliban/common";
import {
  errorCode,
  readTextFile,
  realPathIfExists,
  statIfExists,
  writeFileAtomic,
} from "@caliban/common/node";
import { renderBlock, replaceBlock } from "../../../exchange/agents-md-block.ts";
import type { StoreFiles } from "../../../store/stored-files.ts";
import { MAX_DOCUMENT_BYTES } from "../sources/read-source-file.ts";
import { refuseOutside } from "./refuse-outside.ts";

/** Renders the topics as Markdown that other agents read. */
export function renderAgentsMd({ topics }: StoreFiles): string {
  return renderBlock(
    topics.map(({ slug, text, topic }) => ({ name: slug, description: topic.description, text })),
  );
}

export type UpdatedAgentsMd =
  | { readonly kind: "written" | "unchanged"; readonly path: string }
  | {
      readonly kind: "refused";
      readonly path: string;
      readonly problem: Diagnostic<
        "UNREADABLE" | "BROKEN_MARKERS" | "UNWRITABLE" | "OUTSIDE_WORKSPACE"
      >;
    };

/**
 * Writes the topics into a document, between two marker lines. The rest of the document is kept. A link in the workspace
 * that leads out of it is refused, because the repository may have made it.
 */
export async function updateAgentsMd({
  file,
  files,
  workspaceRoot,
}: {
  readonly file: string;
  readonly files: StoreFiles;
  readonly workspaceRoot: string;
}): Promise<UpdatedAgentsMd> {
  const outside = refuseOutside(workspaceRoot, file);
  if (outside !== undefined) return { kind: "refused", path: file, problem: outside };
  // Replaces the target of a symbolic link, not the link.
  const path = realPathIfExists(file) ?? file;
  const before = readDocument(path);
  if (before === undefined) {
    const problem = { code: "UNREADABLE", message: "it is not a readable text file" } as const;
    return { kind: "refused", path, problem };
  }
  const after = replaceBlock(before, renderAgentsMd(files));
  if (after === undefined) {
    const message = "its caliban:memory markers do not match; fix or remove them";
    return { kind: "refused", path, problem: { code: "BROKEN_MARKERS", message } };
  }
  if (after === before) return { kind: "unchanged", path };
  try {
    await replaceKeepingMode(path, after);
    return { kind: "written", path };
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const problem = { code: "UNWRITABLE", message: `system error ${code}` } as const;
    return { kind: "refused", path, problem };
  }
}

/** Empty for a missing file; `undefined` for one that cannot be read completely. */
function readDocument(path: string): string | undefined {
  const file = readTextFile(path, MAX_DOCUMENT_BYTES);
  if (file.kind === "missing") return "";
  if (file.kind !== "text" || file.readBytes < file.fileBytes) return undefined;
  return file.invalidAt === undefined ? file.text : undefined;
}

/** The document may be part of a repository, and readable for others. */
async function replaceKeepingMode(path: string, text: string): Promise<void> {
  const mode = statIfExists(path)?.mode;
  await writeFileAtomic(path, text);
  if (mode !== undefined) chmodSync(path, mode & 0o777);
}
