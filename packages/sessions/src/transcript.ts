import type { SessionDiagnostic } from "./diagnostic.ts";
import { parseLine, type ParsedLine } from "./parse-record.ts";
import { FORMAT_VERSION, type SessionRecord } from "./record.ts";

/** The records of a session file, in their order, and what could not be read of it. */
export interface Transcript {
  readonly records: readonly SessionRecord[];
  readonly diagnostics: readonly SessionDiagnostic[];
}

/** Takes the lines of a file one after the other. */
export interface TranscriptCollector {
  readonly addLine: (line: string) => void;
  /** A line that is longer than anybody wants to read. */
  readonly skipLine: (reason: string) => void;
  /** What stands behind the last line end: a whole record whose line end is missing, or half of one. */
  readonly end: (rest: string) => Transcript;
}

/** Reads a whole file that is in memory. */
export function parseTranscript(text: string): Transcript {
  const collector = createTranscriptCollector();
  const lines = text.split("\n");
  const rest = lines.pop() ?? "";
  for (const line of lines) collector.addLine(line);
  return collector.end(rest);
}

const MOST_DIAGNOSTICS = 100;

/** One bad line costs that line. */
export function createTranscriptCollector(): TranscriptCollector {
  const records: SessionRecord[] = [];
  const diagnostics: SessionDiagnostic[] = [];
  const unknown = new Map<string, number>();
  let [line, unknownParts, unlisted] = [0, 0, 0];
  const report = (diagnostic: SessionDiagnostic): void => {
    if (diagnostics.length < MOST_DIAGNOSTICS) diagnostics.push(diagnostic);
    else unlisted++;
  };
  const take = (parsed: ParsedLine, damaged: SessionDiagnostic): void => {
    if (parsed.kind === "damaged") report(damaged);
    if (parsed.kind === "unknown") unknown.set(parsed.type, (unknown.get(parsed.type) ?? 0) + 1);
    if (parsed.kind !== "record") return;
    records.push(parsed.record);
    unknownParts += parsed.unknownParts;
  };
  return {
    addLine: (text) => {
      line++;
      const sentence = `line ${line} is damaged and was left out`;
      take(parseLine(text), { code: "DAMAGED_LINE", line, sentence });
    },
    skipLine: (reason) => {
      line++;
      const sentence = `line ${line} was left out: ${reason}`;
      report({ code: "LINE_TOO_LONG", line, sentence });
    },
    end: (rest) => {
      line++;
      const sentence = `line ${line} breaks off and was left out: the process ended while it was written`;
      take(parseLine(rest), { code: "TORN_LINE", line, sentence });
      const more: readonly SessionDiagnostic[] =
        unlisted === 0
          ? []
          : [{ code: "DAMAGED_LINE", sentence: `${unlisted} more lines were left out` }];
      const skipped = skippedByVersion(unknown, unknownParts);
      return { records, diagnostics: [...versionOf(records), ...diagnostics, ...more, ...skipped] };
    },
  };
}

function versionOf(records: readonly SessionRecord[]): readonly SessionDiagnostic[] {
  const start = records.find((record) => record.type === "session-start");
  if (start === undefined) {
    const sentence = "the first line, which says what the session is, cannot be read";
    return [{ code: "NO_START", line: 1, sentence }];
  }
  if (start.v <= FORMAT_VERSION) return [];
  const sentence = `a newer caliban wrote it (format ${start.v}; this one knows ${FORMAT_VERSION}), so some of it may be missing; update caliban`;
  return [{ code: "NEWER_FORMAT", line: 1, sentence }];
}

function skippedByVersion(
  unknown: ReadonlyMap<string, number>,
  unknownParts: number,
): readonly SessionDiagnostic[] {
  const count = [...unknown.values()].reduce((sum, each) => sum + each, 0);
  const kinds = [...unknown.keys()].slice(0, 5).map((type) => JSON.stringify(type.slice(0, 40)));
  const records: readonly SessionDiagnostic[] =
    count === 0
      ? []
      : [
          {
            code: "UNKNOWN_RECORD",
            sentence: `${count} ${count === 1 ? "record" : "records"} of a kind that this caliban does not know (${kinds.join(", ")}) left out`,
          },
        ];
  if (unknownParts === 0) return records;
  const sentence = `${unknownParts} ${unknownParts === 1 ? "part" : "parts"} of messages of a kind that this caliban does not know left out`;
  return [...records, { code: "UNKNOWN_PART", sentence }];
}
