import { basename } from "node:path";
import { readTextFile } from "@caliban/common/node";
import { type ParsedJsonTopic, parseMemoryJson } from "../../../exchange/memory-json.ts";
import type { ImportSource, SourceFile } from "../../../exchange/source.ts";
import { INDEX_FILE } from "../../../topics/limits.ts";
import { sha256Hex } from "../../sha256-hex.ts";
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
  const parsed = parseMemoryJson(read.text, sha256Hex);
  if ("problem" in parsed) {
    const about = { name, path, bytes: read.fileBytes };
    return { ...source, files: [withProblem(about, "INVALID_EXPORT", parsed.problem)] };
  }
  return {
    ...source,
    files: parsed.topics.map((topic) => toFile(path, topic)),
    index:
      parsed.index === undefined
        ? undefined
        : toFile(path, { name: INDEX_FILE, text: parsed.index, isIntact: true }),
  };
}

function toFile(path: string, { name, text, isIntact }: ParsedJsonTopic): SourceFile {
  const about = { name, path: `${path}#${name}`, bytes: Buffer.byteLength(text) };
  if (isIntact) return { ...about, text };
  const message = `entry ${JSON.stringify(name)} of ${basename(path)} changed after the export: its text does not match its "sha256". Export it again`;
  return withProblem(about, "INVALID_EXPORT", message);
}
