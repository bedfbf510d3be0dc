import { readdirSync } from "node:fs";
import { join } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { errorCode, readTextFile } from "@caliban/common/node";
import { GENERATIONS_DIRECTORY, readCurrentNumber } from "./current-generation.ts";
import { isPlainWay, lookAt } from "./plain-way.ts";

/** The text of an artifact, or why there is none, by its address and never by a path of the disk. */
export type Artifact = { readonly text: string } | { readonly problem: string };

const MAX_BYTES: number = 1024 * 1024;
const MAX_PATH_CHARACTERS = 1_000;
const SUMMARY = "memory_summary.md";

/**
 * Reads what `memory://root/<path>` means: a file of the current generation, a listing for a directory, and the summary
 * for the empty path. The path was decoded once by the caller.
 */
export async function readArtifact(directory: string, path: string): Promise<Artifact> {
  const url = path === "" ? "memory://root" : `memory://root/${path}`;
  const segments = segmentsOf(path);
  if (typeof segments === "string") return problem(url, segments);
  const current = readCurrentNumber(directory);
  if (current.kind === "none") return problem(url, "nothing was learned from earlier sessions yet");
  if (current.kind === "damaged") return problem(url, `the memory is damaged (${current.reason})`);
  const way = [GENERATIONS_DIRECTORY, String(current.number)];
  if (!isPlainWay(directory, way)) return problem(url, "its generation is not there");
  return await readInside(url, join(directory, ...way), path === "" ? [SUMMARY] : segments);
}

async function readInside(
  url: string,
  root: string,
  segments: readonly string[],
): Promise<Artifact> {
  const target = join(root, ...segments);
  if (!isPlainWay(root, segments.slice(0, -1))) return problem(url, NOT_THERE);
  const stats = lookAt(target);
  if (stats === undefined) return problem(url, NOT_THERE);
  if (stats.isSymbolicLink()) return problem(url, "it is a symbolic link, which is not followed");
  if (stats.isDirectory()) return listing(url, target, segments.length === 0);
  const file = await readTextFile(target, MAX_BYTES, { refuseLinks: true });
  if (file.kind !== "text") return problem(url, file.message);
  if (file.readBytes === file.fileBytes) return { text: file.text };
  const note = `[${url} has ${file.fileBytes} bytes; these are the first ${file.readBytes}.]`;
  return { text: `${file.text}\n${note}\n` };
}

const NOT_THERE = "there is no such artifact; memory://root/ lists them";

/** The names on the way down, or what is wrong with the path. */
function segmentsOf(path: string): readonly string[] | string {
  if (path.includes("\0")) return "it has a NUL character";
  if (path.length > MAX_PATH_CHARACTERS) return "it is too long";
  if (path.includes("\\")) return "it has a backslash; parts are parted by /";
  if (/%(?:2f|5c|00)/i.test(path)) return "it has an encoded separator";
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "it is an absolute path";
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) return "it leads out of the memory";
  // A colon names a stream of a file on Windows.
  if (segments.some((segment) => segment.includes(":"))) return NOT_THERE;
  return segments[0]?.startsWith(".") === true ? NOT_THERE : segments;
}

/** Directories first. What is no file and no directory is not listed. */
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
