import { readTextFile, type TextFile } from "@caliban/common/node";
import type { CheckContext } from "../check-value.ts";
import type { KeyProblem, ParsedFile } from "../parse-file.ts";

const MAX_SETTINGS_BYTES = 1024 * 1024;

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
  return parseSettingsFile({ path, text: file.kind === "text" ? file.text : "" }, context);
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
  if (file.isUtf8) return undefined;
  const line = file.text.slice(0, file.text.indexOf("\uFFFD")).split("\n").length;
  return {
    code,
    where,
    line,
    message: "the settings are not valid UTF-8; save the file as UTF-8.",
  };
}

function unusable(path: string, problem: KeyProblem): ParsedFile {
  return { path, text: "", values: new Map(), errors: [problem], warnings: [] };
}
