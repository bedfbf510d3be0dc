import { readTextFile } from "@caliban/common/node";
import { INDEX_FILE } from "@caliban/memory";
import { parseMemoryJson } from "../memory-json.ts";
import type { ForeignFile, ForeignSource } from "./foreign-source.ts";

const MAX_JSON_BYTES = 256 * 1024 * 1024;

/** What `export --to json` wrote. */
export async function jsonSource(path: string): Promise<ForeignSource> {
  const source = { agent: "dir", place: path, isThere: true, instructions: [], notes: [] } as const;
  const read = readTextFile(path, MAX_JSON_BYTES, { refuseLinks: true });
  const name = "the export";
  if (read.kind !== "text")
    return { ...source, files: [{ name, path, bytes: undefined, problem: read.message }] };
  const parsed = parseMemoryJson(read.text);
  if ("problem" in parsed)
    return { ...source, files: [{ name, path, bytes: read.fileBytes, problem: parsed.problem }] };
  const fileOf = (file: { readonly name: string; readonly text: string }): ForeignFile => ({
    ...file,
    path: `${path}#${file.name}`,
    bytes: Buffer.byteLength(file.text),
  });
  return {
    ...source,
    files: parsed.topics.map(fileOf),
    index:
      parsed.index === undefined ? undefined : fileOf({ name: INDEX_FILE, text: parsed.index }),
  };
}
