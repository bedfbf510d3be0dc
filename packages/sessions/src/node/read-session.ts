import { join } from "node:path";
import { type SessionId, sessionFileName } from "../identity/session-id.ts";
import { createTranscriptCollector, type Transcript } from "../transcript/transcript.ts";
import { fileLines } from "./file-lines.ts";

/**
 * Reads a session file with one line in memory at a time.
 * @throws SessionsError `NOT_FOUND`, or `UNREADABLE` for a link or anything but a regular file
 */
export async function readSession(directory: string, id: SessionId): Promise<Transcript> {
  return await readTranscript(join(directory, sessionFileName(id)));
}

/** The same by path; longer lines than `maxLineBytes` are skipped. */
export async function readTranscript(path: string, maxLineBytes?: number): Promise<Transcript> {
  const collector = createTranscriptCollector();
  let rest = "";
  for await (const lines of fileLines({ path, maxLineBytes })) {
    for (const line of lines) {
      if (line.kind === "line") collector.addLine(line.text);
      else if (line.kind === "too-long") collector.skipLine(line.reason);
      else rest = line.text;
    }
  }
  return collector.end(rest);
}
