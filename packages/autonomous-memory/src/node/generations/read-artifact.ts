import { readdirSync } from "node:fs";
import { join } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { errorCode, lstatIfExists, readTextFile } from "@caliban/common/node";
import { GENERATIONS_DIRECTORY, readCurrentNumber } from "./current-generation.ts";
import { isPlainPath } from "./plain-directories.ts";

/** The text of an artifact, or why there is none. A problem names the address, never a path on disk. */
export type Artifact = { readonly text: string } | { readonly problem: string };

const MAX_BYTES: number = 1024 * 1024;
const MAX_PATH_CHARACTERS = 1_000;
const SUMMARY = "memory_summary.md";

/**
 * Reads `memory://root/<path>`: a file of the current generation, a listing for a directory, or the summary for the empty
 * path. The caller has decoded the path once.
 */
export async function readArtifact(directory: string, path: string): Promise<Artifact> {
  const url = path === "" ? "memory://root" : `memory://root/${path}`;
  const segments = segmentsOf(path);
  if (typeof segments === "string") return problem(url, segments);
  const current = readCurrentNumber(directory);
  if (current.kind === "none")
    return problem(url, "nothing has been learned from past sessions yet");
  if (current.kind === "damaged") return problem(url, `the memory is damaged (${current.reason})`);
  const parts = [GENERATIONS_DIRECTORY, String(current.number)];
  if (!isPlainPath(directory, parts)) return problem(url, "its generation does not exist");
  return await readInside(url, join(directory, ...parts), path === "" ? [SUMMARY] : segments);
}

async function readInside(
  url: string,
  root: string,
  segments: readonly string[],
): Promise<Artifact> {
  const target = join(root, ...segments);
  if (!isPlainPath(root, segments.slice(0, -1))) return problem(url, NOT_FOUND);
  const stats = lstatIfExists(target);
  if (stats === undefined) return problem(url, NOT_FOUND);
  if (stats.isSymbolicLink()) return problem(url, "symbolic links are not followed");
  if (stats.isDirectory()) return listing(url, target, segments.length === 0);
  const file = readTextFile(target, MAX_BYTES, { refuseLinks: true });
  if (file.kind !== "text") return problem(url, file.message);
  if (file.readBytes === file.fileBytes) return { text: file.text };
  const note = `[Truncated: the first ${file.readBytes} of ${file.fileBytes} bytes of ${url}.]`;
  return { text: `${file.text}\n${note}\n` };
}

const NOT_FOUND = "no such artifact; memory://root/ lists them";

/** The segments of a path, or what is wrong with it. */
function segmentsOf(path: string): readonly string[] | string {
  if (path.includes("\0")) return "it contains a NUL character";
  if (path.length > MAX_PATH_CHARACTERS) return "it is too long";
  if (path.includes("\\")) return "it contains a backslash; use / as the separator";
  if (/%(?:2f|5c|00)/i.test(path)) return "it contains an encoded separator";
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "it is an absolute path";
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) return "it leads outside the memory";
  // A colon names a stream of a file on Windows.
  if (segments.some((segment) => segment.includes(":"))) return NOT_FOUND;
  return segments[0]?.startsWith(".") === true ? NOT_FOUND : segments;
}

/** Directories first. Anything else than files and directories is not listed. */
function listing(url: string, directory: string, isTop: boolean): Artifact {
  try {
    const entries = readdirSync(directory, { withFileTypes: true })
      .filter(({ name }) => !(isTop && name.startsWith(".")))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
    const directories = entries.filter((entry) => entry.isDirectory());
    const files = entries.filter((entry) => entry.isFile());
    const names = [...directories.map(({ name }) => `${name}/`), ...files.map(({ name }) => name)];
    if (names.length === 0) return { text: "(empty directory)\n" };
    return { text: `${names.map(terminalSafeLine).join("\n")}\n` };
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return problem(url, `it cannot be listed (${code})`);
  }
}

function problem(url: string, reason: string): Artifact {
  return { problem: `${terminalSafeLine(url.slice(0, MAX_PATH_CHARACTERS))}: ${reason}.` };
}
