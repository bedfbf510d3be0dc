import { readTextFile } from "@caliban/common/node";
import { parseMemoryJson } from "../../../exchange/memory-json.ts";
import type { ImportSource, SourceFile } from "../../../exchange/source.ts";
import { INDEX_FILE } from "../../../topics/limits.ts";
import { withProblem } from "./read-source-file.ts";

const MAX_JSON_BYTES = 256 * 1024 * 1024;

/** A memory that was exported as JSON. */
export function jsonSource(path: string): ImportSource {
  const source = { name: "dir", path, exists: true, instructions: [], notices: [] } as const;
  const read = readTextFile(path, MAX_JSON_BYTES, { refuseLinks: true });
  const name = "the export";
  if (read.kind !== "text") {
    const about = { name, path, bytes: undefined };
    return { ...source, files: [withProblem(about, "UNREADABLE", read.message)] };
  }
  const parsed = parseMemoryJson(read.text);
  if ("problem" in parsed) {
    const about = { name, path, bytes: read.fileBytes };
    return { ...source, files: [withProblem(about, "INVALID_EXPORT", parsed.problem)] };
  }
  const toFile = (file: { readonly name: string; readonly text: string }): SourceFile => ({
    ...file,
    path: `${path}#${file.name}`,
    bytes: Buffer.byteLength(file.text),
  });
  return {
    ...source,
    files: parsed.topics.map(toFile),
    index:
      parsed.index === undefined ? undefined : toFile({ name: INDEX_FILE, text: parsed.index }),
  };
}
