import {
  type FoundFile,
  type FoundLine,
  MAX_LINE_CHARACTERS,
  type SearchRequest,
} from "./search-request.ts";

/** Reads what ripgrep prints with `--json`, line by line. */
export interface EventReader {
  readonly take: (line: string) => "more" | "enough";
  readonly state: () => "unfinished" | "finished" | "enough";
}

interface OpenedFile {
  readonly name: string;
  readonly lines: FoundLine[];
  matches: number;
}

/** Puts the lines of each file together, and hands files over that are wanted. */
export function createEventReader(
  request: SearchRequest,
  onFile: (file: FoundFile) => "more" | "enough",
): EventReader {
  let file: OpenedFile | undefined;
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
    if (onFile({ ...file, lines: nearMatches(file.lines, request.contextLines) }) === "enough") {
      state = "enough";
    }
  };
  return {
    state: () => state,
    take: (line) => {
      const event: unknown = JSON.parse(line);
      const data = fieldOf(event, "data");
      const type = fieldOf(event, "type");
      if (type === "begin") file = opened(data, request);
      if (type === "match" || type === "context") addLine(data, type === "match");
      if (type === "end") finish(data);
      if (type === "summary") state = "finished";
      return state === "enough" ? "enough" : "more";
    },
  };
}

function opened(
  data: unknown,
  { isDirectory, includes: isWanted }: SearchRequest,
): OpenedFile | undefined {
  const path = textOf(fieldOf(data, "path"));
  const name = isDirectory ? path.replace(/^\.[\\/]/, "").replaceAll("\\", "/") : "";
  return !isDirectory || isWanted(name) ? { name, lines: [], matches: 0 } : undefined;
}

/** The lines before a match that is not kept go with it. */
function nearMatches(lines: readonly FoundLine[], contextLines: number): readonly FoundLine[] {
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

/** What is not UTF-8 comes as bytes. */
function textOf(value: unknown): string {
  const text = fieldOf(value, "text");
  if (typeof text === "string") return text;
  const bytes = fieldOf(value, "bytes");
  return typeof bytes === "string" ? Buffer.from(bytes, "base64").toString("utf8") : "";
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
