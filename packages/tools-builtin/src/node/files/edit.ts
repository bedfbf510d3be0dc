import { isUtf8 } from "node:buffer";
import { FileToolError } from "../file-tool-error.ts";
import type { FileToolAction } from "../file-tool.ts";
import { resolveAllowedPath, type ResolvedPath } from "../resolve-path.ts";
import type { FileInputs } from "../schemas/file-input.ts";
import type { ToolState } from "../tool-state.ts";
import { withActivation } from "./activation.ts";
import { describeBinary } from "./binary-kind.ts";
import { explainMiss } from "./explain-miss.ts";
import { readFileChunks, requireSeen } from "./file-fingerprint.ts";
import { withOpenFile } from "./open-file.ts";
import { renderDiff } from "./render-diff.ts";
import { changeFile } from "./change-file.ts";
import type { PreviousFile } from "./replace-file.ts";
import {
  applyReplacements,
  createLineCounter,
  findReplacements,
  MAX_REPLACEMENTS,
  type Replacement,
} from "./replacements.ts";
import { MAX_WRITTEN_BYTES, tooLargeError } from "./write.ts";

const MAX_LISTED_LINES = 10;
const BYTE_ORDER_MARK = "\uFEFF";

/** Replaces text in a file that was read, and returns a diff. */
export const edit: FileToolAction<"Edit"> = async (input, state) => {
  rejectEmptyEdit(input);
  const resolved = resolveAllowedPath(state, input.file_path, "write");
  const { content, ...previous } = await readSeenFile(state, resolved);
  const mark = content.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const text = content.slice(mark.length);
  const replacements = planReplacements(text, input, resolved);
  const changed = mark + applyReplacements(text, replacements);
  if (Buffer.byteLength(changed) > MAX_WRITTEN_BYTES) throw tooLargeError(resolved);
  const fingerprint = await changeFile(state, { resolved, text: changed, previous });
  state.seenFiles.set(resolved.path, fingerprint);
  const { added, removed, text: diff } = renderDiff(text, replacements);
  const count = replacements.length;
  const places = count === 1 ? "" : ` in ${count} places`;
  return await withActivation(state, resolved.path, {
    text: `Changed ${resolved.display}${places}:\n${diff}`,
    data: { path: resolved.display, added, removed, diff },
  });
};

function rejectEmptyEdit({ old_string, new_string }: FileInputs["Edit"]): void {
  if (old_string === "") {
    throw new FileToolError(
      "NO_MATCH",
      "old_string is empty. Pass the text to replace, or use Write to create a file.",
    );
  }
  if (old_string !== new_string) return;
  throw new FileToolError("NO_MATCH", "old_string and new_string are the same: nothing to change.");
}

async function readSeenFile(
  state: ToolState,
  resolved: ResolvedPath,
): Promise<PreviousFile & { readonly content: string }> {
  return await withOpenFile(resolved, async (file) => {
    if (file.stats.size > MAX_WRITTEN_BYTES) throw tooLargeError(resolved);
    const chunks: Buffer[] = [];
    const { fingerprint } = await readFileChunks(file, (bytes) => {
      chunks.push(Buffer.from(bytes));
      return "more";
    });
    requireSeen(state, resolved, fingerprint);
    const bytes = Buffer.concat(chunks);
    const reason = describeBinary(bytes) ?? (isUtf8(bytes) ? undefined : "not valid UTF-8");
    if (reason === undefined) {
      return { content: bytes.toString("utf8"), fingerprint, stats: file.stats };
    }
    throw new FileToolError(
      "NOT_TEXT",
      `${resolved.display} is ${reason}, and an edit would damage it. Change it with a command.`,
    );
  });
}

function planReplacements(
  text: string,
  { old_string, new_string, replace_all = false }: FileInputs["Edit"],
  { display }: ResolvedPath,
): readonly Replacement[] {
  const replacements = findReplacements(text, {
    oldText: old_string,
    newText: new_string,
    isEverywhere: replace_all,
  });
  if (replacements.length === 0) {
    const explanation = explainMiss(text, old_string);
    throw new FileToolError(
      "NO_MATCH",
      `old_string was not found in ${display}; nothing was changed. ${explanation}`,
    );
  }
  const isTooMany = replacements.length > MAX_REPLACEMENTS;
  if (!isTooMany && (replace_all || replacements.length === 1)) return replacements;
  const lineAt = createLineCounter(text);
  const lines = replacements.slice(0, MAX_LISTED_LINES).map(({ start }) => lineAt(start));
  const more = replacements.length > MAX_LISTED_LINES ? ", …" : "";
  const count = isTooMany ? `more than ${MAX_REPLACEMENTS}` : replacements.length;
  const remedy = isTooMany ? "use a command" : "set replace_all";
  throw new FileToolError(
    "SEVERAL_MATCHES",
    `old_string occurs ${count} times in ${display}, in lines ${lines.join(", ")}${more}; nothing was changed. Add surrounding lines until it is unique, or ${remedy}.`,
  );
}
