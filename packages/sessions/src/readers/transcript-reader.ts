import type { SessionMessage } from "../record/session-message.ts";
import { createCalibanReader } from "./caliban-reader.ts";
import { createClaudeReader } from "./claude-reader.ts";
import { createCodexReader } from "./codex-reader.ts";

/** The program that wrote a transcript: caliban, Claude Code or Codex. */
export type TranscriptFormat = "caliban" | "claude" | "codex";

/** Reads the lines of a transcript one after another. Never throws, whatever they contain. */
export interface TranscriptReader {
  /** The messages in a line, usually one or none. Pass a truncated last line like any other. */
  readonly readLine: (line: string) => readonly SessionMessage[];
  /** Counts a line that is too long to read. */
  readonly skipLine: () => void;
  /** What the lines so far say about the session. */
  readonly facts: () => TranscriptFacts;
  /** The timestamp of the last readable line. */
  readonly writtenAt: () => string | undefined;
  /** What a reader that continues after these lines needs to know. */
  readonly known: () => ReaderContext;
}

/** A parsed transcript. */
export interface ReadTranscript {
  readonly messages: readonly SessionMessage[];
  readonly facts: TranscriptFacts;
}

const READERS: Readonly<
  Record<TranscriptFormat, (known: ReaderContext | undefined) => TranscriptReader>
> = {
  caliban: createCalibanReader,
  claude: createClaudeReader,
  codex: createCodexReader,
};

/** Creates a reader for the whole transcript, or for the lines after those that `known` describes. */
export function createTranscriptReader(
  format: TranscriptFormat,
  known?: ReaderContext,
): TranscriptReader {
  return READERS[format](known);
}

/**
 * Parses the text of a transcript into messages and tool calls, without reasoning, images, usage and injected text.
 *
 * @example
 * import { readMessages } from "@caliban/sessions";
 *
 * const line = JSON.stringify({ type: "user", message: { role: "user", content: "Use pnpm." } });
 * console.log(readMessages(line, "claude").messages); // [ { role: 'user', text: 'Use pnpm.' } ]
 */
export function readMessages(text: string, format: TranscriptFormat): ReadTranscript {
  const reader = createTranscriptReader(format);
  const messages = text.split("\n").flatMap((line) => reader.readLine(line));
  return { messages, facts: reader.facts() };
}

/** What a transcript says about its session, as far as it was read. */
export interface TranscriptFacts {
  readonly sessionId: string | undefined;
  /** The directory in which the session started. */
  readonly cwd: string | undefined;
  /** ISO 8601. */
  readonly startedAt: string | undefined;
  /** Whether the user does not want anything to be learned from it. */
  readonly optedOut: boolean;
  /** Whether another agent started it, so that the user does not take part in it. */
  readonly isSubAgent: boolean;
  readonly skipped: SkippedCounts;
}

/** What a reader needs to know from the beginning of a transcript to continue in the middle. */
export interface ReaderContext extends Pick<
  TranscriptFacts,
  "sessionId" | "optedOut" | "isSubAgent"
> {
  /** How many messages are copies from another file. */
  readonly carried: number;
}

/** How much was skipped because it could not be read. */
export interface SkippedCounts {
  readonly damagedLines: number;
  readonly longLines: number;
  /** Records and parts of an unknown type. */
  readonly unknownRecords: number;
  readonly unknownParts: number;
}
