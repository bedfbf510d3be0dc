import { errorCode, writeFileAtomic } from "@caliban/common/node";

/** Writes what is known of a server; a disk that does not take it costs the next session that much. */
export async function keepKnown(path: string, text: string): Promise<void> {
  try {
    await writeFileAtomic(path, text);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
  }
}
