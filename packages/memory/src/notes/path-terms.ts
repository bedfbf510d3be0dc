import { searchTerms } from "../search/analyzer/query-terms.ts";

const MAX_SUFFIX = 3;

/** The terms of a path: its parts, and the file by its name and by its last directories, as one term each. */
export function pathTerms(path: string): readonly string[] {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const words = searchTerms(parts.slice(-4).join(" "));
  return [...new Set([...words, ...fileTerms(path), ...directoryTerms(path)])];
}

/** The file as one term: by its name, and by its name with one and two directories. */
export function fileTerms(path: string): readonly string[] {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const counts = Array.from({ length: Math.min(MAX_SUFFIX, parts.length) }, (_, at) => at + 1);
  return [
    ...new Set(
      // The last term of a path is that of the whole path.
      counts.flatMap((count) => searchTerms(parts.slice(-count).join("/")).slice(-1)),
    ),
  ];
}

/** The directory of a file as one term, marked, because a directory says more than its name. */
export function directoryTerms(path: string): readonly string[] {
  const parts = path
    .toLowerCase()
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  const directories = parts.slice(-1 - MAX_DIRECTORIES, -1);
  return directories.length === 0 ? [] : [`${directories.join("/")}/`];
}

const MAX_DIRECTORIES = 2;
const PATH_IN_TEXT = /(?<![\w/:.-])(?:[\w.-]+\/)+[\w.-]*\w/g;
const MAX_PATHS = 12;

/** The files and directories that a text names. */
export function mentionedPaths(text: string): readonly string[] {
  return Array.from(text.matchAll(PATH_IN_TEXT), ([path]) => path).slice(0, MAX_PATHS);
}

/** Whether a term is the path or the name of a file. */
export function isPath(term: string): boolean {
  return term.includes("/") || /\.\w/.test(term);
}
