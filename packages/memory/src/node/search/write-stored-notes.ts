import { nodeDisk } from "@caliban/common/node";
import { packNoteIndex } from "../../notes/packed/pack-note-index.ts";
import { createSnapshotFile } from "./snapshot-file.ts";

/** Replaces the stored notes. */
export async function writeStoredNotes(
  file: string,
  notes: Iterable<readonly [string, string]>,
  stamp: string,
): Promise<void> {
  const snapshot = await createSnapshotFile(file, nodeDisk);
  await snapshot.write([packNoteIndex(notes, stamp)]);
}
