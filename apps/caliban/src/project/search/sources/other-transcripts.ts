import { basename, sep } from "node:path";
import type { SessionSource, SourceFile } from "@caliban/autonomous-memory";
import type { TranscriptFormat } from "@caliban/sessions";
import { sessionSources } from "../../../pipeline/session-sources.ts";
import type { Transcript, TranscriptListing, TranscriptsInput } from "./transcripts.ts";

/** The sessions of other agents that the person lets us read. */
export async function listOtherTranscripts(input: TranscriptsInput): Promise<TranscriptListing> {
  const { directory: sessionsDirectory } = input;
  const sources = sessionSources(input, { sessionsDirectory });
  const byKey = new Map<string, Transcript>();
  const problems: string[] = [];
  for (const source of sources) {
    const format = formatOf(source);
    if (format === undefined) continue;
    // oxlint-disable-next-line no-await-in-loop -- two at most, and each only looks at names
    const listing = await source.list();
    problems.push(...listing.problems.map((problem) => `${belowHome(problem, input.home)}.`));
    for (const file of listing.files) {
      const transcript = transcriptOf(source, format, file);
      const known = byKey.get(transcript.key);
      // A file that is moved to an archive is seen in both places for a moment.
      if (known === undefined || known.updatedMs < transcript.updatedMs)
        byKey.set(transcript.key, transcript);
    }
  }
  return { transcripts: [...byKey.values()], problems };
}

/** What is said here is told a model as well, which need not know whose home it is. */
function belowHome(sentence: string, home: string | undefined): string {
  return home === undefined || home === sep ? sentence : sentence.replaceAll(home, "~");
}

function formatOf({ name }: SessionSource): TranscriptFormat | undefined {
  return name === "claude" || name === "codex" ? name : undefined;
}

const ID = /([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.jsonl$/i;

function transcriptOf(
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
