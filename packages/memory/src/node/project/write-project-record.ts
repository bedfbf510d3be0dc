import { join } from "node:path";
import type { Environment } from "@caliban/common";
import { hasCode, nodeDisk, removeQuietly, writeNewFile } from "@caliban/common/node";
import { renderProjectRecord } from "../../project/record.ts";
import { RECORD_FILE } from "./identity.ts";

/** Writes down whose home it is, unless that stands there: of two first writers, one does. */
export async function writeProjectRecord(
  home: string,
  {
    path,
    env,
    isRepository,
  }: { readonly path: string; readonly env: Environment; readonly isRepository: boolean },
): Promise<void> {
  const { gitRemotes, gitRootCommits } = await import("./git-facts.ts");
  const [remotes, rootCommits] = isRepository
    ? await Promise.all([gitRemotes(path), gitRootCommits(path, env)])
    : [[], []];
  await nodeDisk.makeDirectory(home);
  const record = renderProjectRecord({ path, rootCommits, remotes });
  const temporary = join(home, `.${RECORD_FILE}.${crypto.randomUUID()}.tmp`);
  try {
    await writeNewFile(nodeDisk, temporary, record);
    // A link is made only where nothing is, and the record is whole from the beginning.
    await nodeDisk.link(temporary, join(home, RECORD_FILE));
    await nodeDisk.syncDirectory(home);
  } catch (error) {
    if (!hasCode(error, "EEXIST", "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS")) throw error;
    if (!hasCode(error, "EEXIST")) await createRecord(join(home, RECORD_FILE), record);
  } finally {
    await removeQuietly(nodeDisk, temporary);
  }
}

/** Where a file has only one name, it is made where nothing is. */
async function createRecord(path: string, record: string): Promise<void> {
  try {
    await writeNewFile(nodeDisk, path, record);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}
