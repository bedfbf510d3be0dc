import { basename, sep } from "node:path";
import type { TranscriptFormat } from "@caliban/sessions";
import type { SessionSource, SourceFile } from "../../transcript/session-source.ts";
import { createSessionSources } from "../sources/session-sources.ts";
import type { Transcript, TranscriptListing, TranscriptsInput } from "./transcripts.ts";

/** Lists the sessions of other agents that the user allows to read. */
export async function listOtherTranscripts(input: TranscriptsInput): Promise<TranscriptListing> {
  const byKey = new Map<string, Transcript>();
  const problems: string[] = [];
  for (const source of createSessionSources(input)) {
    const format = otherFormat(source);
    if (format === undefined) continue;
    const listing = await source.list();
    problems.push(...listing.notices.map(({ message }) => `${withoutHome(message, input.home)}.`));
    for (const file of listing.files) {
      const transcript = toTranscript(source, format, file);
      const known = byKey.get(transcript.key);
      // While a file is moved to the archive, it may be listed twice.
      if (known === undefined || known.updatedMs < transcript.updatedMs)
        byKey.set(transcript.key, transcript);
    }
  }
  return { transcripts: [...byKey.values()], problems };
}

/** Models see the message as well, and need not know the user's home directory. */
function withoutHome(message: string, home: string | undefined): string {
  return home === undefined || home === sep ? message : message.replaceAll(home, "~");
}

function otherFormat({ name }: SessionSource): TranscriptFormat | undefined {
  return name === "claude" || name === "codex" ? name : undefined;
}

const ID = /([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.jsonl$/i;

function toTranscript(
  source: SessionSource,
  format: TranscriptFormat,
  file: SourceFile,
): Transcript {
  const { path, mtimeMs, size } = file;
  const id = (ID.exec(basename(path))?.[1] ?? "").toLowerCase();
  return {
    key: `${format}-${id}`,
    path,
    format,
    fingerprint: `${mtimeMs}:${size}`,
    updatedMs: mtimeMs,
    identify: async () => await source.identify(file),
  };
}
