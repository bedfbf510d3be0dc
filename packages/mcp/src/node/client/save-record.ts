import { errorCode, writeFileAtomic } from "@caliban/common/node";

/** Writes the record of a server. Returns a message if the system refuses. */
export async function saveRecord(path: string, text: string): Promise<string | undefined> {
  try {
    await writeFileAtomic(path, text);
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return `cannot save its tools for the next session: ${code}: ${path}`;
  }
}
