import { readTextFile, type TextFile } from "@caliban/common/node";
import type { CheckContext } from "../check-value.ts";
import type { KeyProblem, ParsedFile } from "../parse-file.ts";

/** A larger file is not read, and not written. */
export const MAX_SETTINGS_BYTES: number = 1024 * 1024;

/** Reads and parses one settings file; `undefined` when there is none. The parser is loaded only for a file. */
export async function readSettingsFile(
  path: string | undefined,
  context: CheckContext,
): Promise<ParsedFile | undefined> {
  if (path === undefined) return undefined;
  const file = await readTextFile(path, MAX_SETTINGS_BYTES);
  if (file.kind === "missing") return undefined;
  const problem = unreadable(path, file);
  if (problem !== undefined) return unusable(path, problem);
  const { parseSettingsFile } = await import("../parse-file.ts");
  // A byte order mark is no part of TOML, but editors on Windows write one.
  const text = file.kind === "text" ? file.text.replace(/^\uFEFF/, "") : "";
  return parseSettingsFile({ path, text }, context);
}

function unreadable(where: string, file: TextFile): KeyProblem | undefined {
  const code = "FILE_UNREADABLE";
  if (file.kind !== "text") {
    return { code, where, message: `the settings cannot be read: ${file.message}.` };
  }
  if (file.fileBytes > MAX_SETTINGS_BYTES) {
    const message = `the settings are too large: ${file.fileBytes} bytes, where 1 MiB is the most.`;
    return { code, where, message };
  }
  if (file.invalidAt === undefined) return undefined;
  const message = "the settings are not valid UTF-8; save the file as UTF-8.";
  return { code, where, ...file.invalidAt, message };
}

function unusable(path: string, problem: KeyProblem): ParsedFile {
  return { path, text: "", values: new Map(), errors: [problem], warnings: [] };
}
