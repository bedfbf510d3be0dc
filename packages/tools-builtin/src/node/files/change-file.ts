import type { FileFingerprint, ToolState } from "../tool-state.ts";
import { fingerprintText } from "./file-fingerprint.ts";
import { type Replacement, replaceFile } from "./replace-file.ts";

/** Replaces or creates a file for a tool, and lets the workspace save what was there. @throws FileToolError */
export async function changeFile(
  { workspace }: Pick<ToolState, "workspace">,
  replacement: Replacement,
): Promise<FileFingerprint> {
  if (workspace.onChange === undefined) return await replaceFile(replacement);
  const { resolved, text, previous } = replacement;
  const { path, display } = resolved;
  const { sha256 = "", bytes } = fingerprintText(text, 0);
  const onChanged = await workspace.onChange({
    path,
    display,
    previous: previous?.fingerprint,
    next: { sha256, bytes },
  });
  const fingerprint = await replaceFile(replacement);
  await onChanged?.();
  return fingerprint;
}
