import { errorCode, writeFileAtomic } from "@caliban/common/node";

/** Writes what is known of a server; a sentence when the disk does not take it, which costs the next session that much. */
export async function saveRecord(path: string, text: string): Promise<string | undefined> {
  try {
    await writeFileAtomic(path, text);
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return `what it offers cannot be kept for the next session: the system says ${code} for ${path}`;
  }
}
