import { isUtf8 } from "node:buffer";
import type { FileInputs } from "../schemas/file-input.ts";
import type { ToolState } from "../tool-state.ts";
import type { FileToolAction } from "../file-tool.ts";
import { FileToolError } from "../file-tool-error.ts";
import { resolveAllowedPath, type ResolvedPath } from "../resolve-path.ts";
import { explainMiss } from "./explain-miss.ts";
import {
  applyReplacements,
  createLineCounter,
  findReplacements,
  MAX_REPLACEMENTS,
  type Replacement,
} from "./replacements.ts";
import { describeBinary } from "./binary-kind.ts";
import { withOpenFile } from "./open-file.ts";
import { type KeptStats, replaceFile } from "./replace-file.ts";
import { readFileChunks, fingerprintText, requireSeen } from "./file-fingerprint.ts";

import { renderDiff } from "./render-diff.ts";
import { withActivation } from "./with-activation.ts";
import { MAX_WRITTEN_BYTES, tooLargeError } from "./write.ts";

const MOST_NAMED_LINES = 10;
const BYTE_ORDER_MARK = "\uFEFF";

/** Replaces a text in a file that was read, and shows what that changed. */
export const edit: FileToolAction<"Edit"> = async (input, session) => {
  refuseEmptyEdit(input);
  const located = resolveAllowedPath(session, input.file_path, "write");
  const { whole, stats } = await readWhole(session, located);
  const mark = whole.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const text = whole.slice(mark.length);
  const replacements = replacementsOf(text, input, located);
  const changed = mark + applyReplacements(text, replacements);
  if (Buffer.byteLength(changed) > MAX_WRITTEN_BYTES) throw tooLargeError(located);
  const changedMs = await replaceFile(located, changed, stats);
  session.seenFiles.set(located.path, fingerprintText(changed, changedMs));
  const { added, removed, text: diff } = renderDiff(text, replacements);
  const count = replacements.length;
  const places = count === 1 ? "" : ` in ${count} places`;
  return await withActivation(session, located.path, {
    text: `Changed ${located.display}${places}:\n${diff}`,
    data: { path: located.display, added, removed, diff },
  });
};

function refuseEmptyEdit({ old_string, new_string }: FileInputs["Edit"]): void {
  if (old_string === "") {
    throw new FileToolError(
      "NO_MATCH",
      "old_string is empty. Give the text to replace; Write makes a new file.",
    );
  }
  if (old_string !== new_string) return;
  throw new FileToolError("NO_MATCH", "old_string and new_string are the same: nothing to change.");
}

async function readWhole(
  session: ToolState,
  located: ResolvedPath,
): Promise<{ readonly whole: string; readonly stats: KeptStats }> {
  return await withOpenFile(located, async (file) => {
    if (file.stats.size > MAX_WRITTEN_BYTES) throw tooLargeError(located);
    const chunks: Buffer[] = [];
    const { mark } = await readFileChunks(file, (bytes) => {
      chunks.push(Buffer.from(bytes));
      return "more";
    });
    requireSeen(session, located, mark);
    const bytes = Buffer.concat(chunks);
    const reason = describeBinary(bytes) ?? (isUtf8(bytes) ? undefined : "not in UTF-8");
    if (reason === undefined) return { whole: bytes.toString("utf8"), stats: file.stats };
    throw new FileToolError(
      "NOT_TEXT",
      `${located.display} is ${reason}, and an edit would damage it. Change it with a command.`,
    );
  });
}

function replacementsOf(
  text: string,
  { old_string, new_string, replace_all = false }: FileInputs["Edit"],
  { display: shown }: ResolvedPath,
): readonly Replacement[] {
  const wanted = { oldText: old_string, newText: new_string, isEverywhere: replace_all };
  const replacements = findReplacements(text, wanted);
  if (replacements.length === 0) {
    const miss = explainMiss(text, old_string);
    throw new FileToolError(
      "NO_MATCH",
      `old_string is not in ${shown}; nothing was changed. ${miss}`,
    );
  }
  const isTooOften = replacements.length > MAX_REPLACEMENTS;
  if (!isTooOften && (replace_all || replacements.length === 1)) return replacements;
  const lineAt = createLineCounter(text);
  const numbers = replacements.slice(0, MOST_NAMED_LINES).map(({ start }) => lineAt(start));
  const more = replacements.length > MOST_NAMED_LINES ? ", …" : "";
  throw new FileToolError(
    "SEVERAL_MATCHES",
    `old_string is in ${shown} ${isTooOften ? `more than ${MAX_REPLACEMENTS}` : replacements.length} times, at the lines ${numbers.join(", ")}${more}; nothing was changed. Add lines around it until it is unique, or ${isTooOften ? "use a command" : "set replace_all"}.`,
  );
}
