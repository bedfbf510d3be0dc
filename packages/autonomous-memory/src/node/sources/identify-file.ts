import { SessionsError, type TranscriptFacts } from "@caliban/sessions";
import { identifyTranscript, isOptedOut, type TranscriptFile } from "@caliban/sessions/node";
import type { IdentifiedFile } from "../../session-source.ts";

/** Looks at a transcript that is a session of the project where its beginning says so. */
export async function identifyFile(
  file: TranscriptFile,
  { id, isOurs }: { readonly id: string; readonly isOurs: (facts: TranscriptFacts) => boolean },
): Promise<IdentifiedFile> {
  try {
    const facts = await identifyTranscript(file);
    if (facts.isSubAgent || !isOurs(facts)) return { kind: "other-project" };
    return { kind: (await isOptedOut(file)) ? "opted-out" : "session", id };
  } catch (error) {
    if (!(error instanceof SessionsError)) throw error;
    return { kind: "unreadable", sentence: error.message };
  }
}
