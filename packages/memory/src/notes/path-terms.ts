import { searchTerms } from "../search/analyzer/query-terms.ts";

const MAX_SUFFIX = 3;

/** The terms of a path: its parts, and the file by its name and by its last directories, as one term each. */
export function pathTerms(path: string): readonly string[] {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return [...new Set([...searchTerms(parts.slice(-4).join(" ")), ...fileTerms(path)])];
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
