import type { SessionDiagnostic } from "../diagnostic.ts";
import { parseLine, type ParsedLine } from "../record/parse-record.ts";
import { FORMAT_VERSION, type SessionRecord } from "../record/record.ts";

/** The records of a session file in order, and what could not be read. */
export interface Transcript {
  readonly records: readonly SessionRecord[];
  readonly diagnostics: readonly SessionDiagnostic[];
}

/** Collects the lines of a file one after another. */
export interface TranscriptCollector {
  readonly addLine: (line: string) => void;
  /** Reports a line that is too long to read. */
  readonly skipLine: (reason: string) => void;
  /** Takes the text after the last line end: a record whose line end is missing, or half of one. */
  readonly end: (rest: string) => Transcript;
}

/** Parses the text of a session file. A damaged line never affects the others. */
export function parseTranscript(text: string): Transcript {
  const collector = createTranscriptCollector();
  const lines = text.split("\n");
  const rest = lines.pop() ?? "";
  for (const line of lines) collector.addLine(line);
  return collector.end(rest);
}

const MAX_DIAGNOSTICS = 100;

/** A damaged line never affects the others. */
export function createTranscriptCollector(): TranscriptCollector {
  const records: SessionRecord[] = [];
  const diagnostics: SessionDiagnostic[] = [];
  const unknown = new Map<string, number>();
  let [line, unknownParts, unlisted] = [0, 0, 0];
  const report = (diagnostic: SessionDiagnostic): void => {
    if (diagnostics.length < MAX_DIAGNOSTICS) diagnostics.push(diagnostic);
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
      const message = `skipped line ${line}: damaged`;
      take(parseLine(text), { code: "DAMAGED_LINE", line, message });
    },
    skipLine: (reason) => {
      line++;
      const message = `skipped line ${line}: ${reason}`;
      report({ code: "LINE_TOO_LONG", line, message });
    },
    end: (rest) => {
      line++;
      const message = `skipped line ${line}: truncated, because the process was killed while writing it`;
      take(parseLine(rest), { code: "TORN_LINE", line, message });
      const more: readonly SessionDiagnostic[] =
        unlisted === 0 ? [] : [{ code: "DAMAGED_LINE", message: `skipped ${unlisted} more lines` }];
      const skipped = unknownDiagnostics(unknown, unknownParts);
      return {
        records,
        diagnostics: [...versionDiagnostics(records), ...diagnostics, ...more, ...skipped],
      };
    },
  };
}

function versionDiagnostics(records: readonly SessionRecord[]): readonly SessionDiagnostic[] {
  const start = records.find((record) => record.type === "session-start");
  if (start === undefined) {
    const message = "cannot read the first line, which describes the session";
    return [{ code: "NO_START", line: 1, message }];
  }
  if (start.v <= FORMAT_VERSION) return [];
  const message = `written by a newer caliban (format ${start.v}; this version supports ${FORMAT_VERSION}), so parts may be missing. Update caliban.`;
  return [{ code: "NEWER_FORMAT", line: 1, message }];
}

function unknownDiagnostics(
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
            message: `skipped ${count} ${count === 1 ? "record" : "records"} of an unknown type (${kinds.join(", ")})`,
          },
        ];
  if (unknownParts === 0) return records;
  const message = `skipped ${unknownParts} message ${unknownParts === 1 ? "part" : "parts"} of an unknown type`;
  return [...records, { code: "UNKNOWN_PART", message }];
}
