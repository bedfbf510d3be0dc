import { sep } from "node:path";
import {
  type FoundFile,
  type FoundLine,
  MAX_LINE_CHARACTERS,
  type SearchRequest,
} from "./search-request.ts";

/** Reads the output of `ripgrep --json`, line by line. */
export interface EventReader {
  readonly push: (line: string) => "more" | "enough";
  readonly state: () => "unfinished" | "finished" | "enough";
}

interface PendingFile {
  readonly name: string;
  readonly lines: FoundLine[];
  matches: number;
}

/** Collects the lines of each file, and passes on the files that the request includes. */
export function createEventReader(
  request: SearchRequest,
  onFile: (file: FoundFile) => "more" | "enough",
): EventReader {
  let file: PendingFile | undefined;
  let state: "unfinished" | "finished" | "enough" = "unfinished";
  const addLine = (data: unknown, isMatch: boolean): void => {
    if (file === undefined) return;
    if (isMatch) file.matches += 1;
    if (file.matches > request.maxMatches) return;
    file.lines.push({ number: lineNumber(data), text: lineText(data), isMatch });
  };
  const finish = (data: unknown): void => {
    const isBinary = fieldOf(data, "binary_offset") !== null;
    if (file === undefined || file.matches === 0 || isBinary) return;
    if (onFile({ ...file, lines: withinContext(file.lines, request.contextLines) }) === "enough") {
      state = "enough";
    }
  };
  return {
    state: () => state,
    push: (line) => {
      const event: unknown = JSON.parse(line);
      const data = fieldOf(event, "data");
      const type = fieldOf(event, "type");
      if (type === "begin") file = startFile(data, request);
      if (type === "match" || type === "context") addLine(data, type === "match");
      if (type === "end") finish(data);
      if (type === "summary") state = "finished";
      return state === "enough" ? "enough" : "more";
    },
  };
}

function startFile(
  data: unknown,
  { isDirectory, includes }: SearchRequest,
): PendingFile | undefined {
  const path = textOf(fieldOf(data, "path"));
  const name = isDirectory
    ? path
        .replace(/^\.[\\/]/, "")
        .split(sep)
        .join("/")
    : "";
  return !isDirectory || includes(name) ? { name, lines: [], matches: 0 } : undefined;
}

/** Drops the context of matches that are not kept. */
function withinContext(lines: readonly FoundLine[], contextLines: number): readonly FoundLine[] {
  const last = lines.findLast(({ isMatch }) => isMatch)?.number ?? 0;
  return lines.filter(({ number }) => number <= last + contextLines);
}

function lineNumber(data: unknown): number {
  const number = fieldOf(data, "line_number");
  return typeof number === "number" ? number : 0;
}

function lineText(data: unknown): string {
  const text = textOf(fieldOf(data, "lines")).replace(/\r?\n$/, "");
  return text.slice(0, MAX_LINE_CHARACTERS + 1);
}

/** ripgrep reports text that is not valid UTF-8 as bytes. */
function textOf(value: unknown): string {
  const text = fieldOf(value, "text");
  if (typeof text === "string") return text;
  const bytes = fieldOf(value, "bytes");
  return typeof bytes === "string" ? Buffer.from(bytes, "base64").toString("utf8") : "";
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
