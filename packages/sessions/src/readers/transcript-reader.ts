import type { SessionMessage } from "../session-message.ts";
import { createCalibanReader } from "./caliban-reader.ts";
import { createClaudeReader } from "./claude-reader.ts";
import { createCodexReader } from "./codex-reader.ts";
import type { KnownBefore, TranscriptFacts } from "./transcript-facts.ts";

/** Whose transcript it is: our own, Claude Code's, or Codex's. */
export type TranscriptFormat = "caliban" | "claude" | "codex";

/** Takes the lines of a transcript one after the other. It never throws, whatever they hold. */
export interface TranscriptReader {
  /** What was said and done in a line: most often one message or none. A torn last line is given like any other. */
  readonly readLine: (line: string) => readonly SessionMessage[];
  /** A line that is longer than anybody wants to read. */
  readonly skipLine: () => void;
  /** What the lines so far say of the session. */
  readonly facts: () => TranscriptFacts;
  /** When the last line that could be read was written, as it says. */
  readonly writtenAt: () => string | undefined;
  /** What a reader of the lines behind these has to be told. */
  readonly known: () => KnownBefore;
}

/** A whole transcript that is in memory. */
export interface ReadTranscript {
  readonly messages: readonly SessionMessage[];
  readonly facts: TranscriptFacts;
}

const READERS: Readonly<
  Record<TranscriptFormat, (known: KnownBefore | undefined) => TranscriptReader>
> = {
  caliban: createCalibanReader,
  claude: createClaudeReader,
  codex: createCodexReader,
};

/** Reads from the first line on, or behind the lines of which `known` tells. */
export function createTranscriptReader(
  format: TranscriptFormat,
  known?: KnownBefore,
): TranscriptReader {
  return READERS[format](known);
}

/** What a person and an agent said and what tools did, without thinking, images, usage and what programs put in. */
export function readMessages(text: string, format: TranscriptFormat): ReadTranscript {
  const reader = createTranscriptReader(format);
  const messages = text.split("\n").flatMap((line) => reader.readLine(line));
  return { messages, facts: reader.facts() };
}
