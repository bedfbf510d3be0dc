import { join } from "node:path";
import type { Environment } from "@caliban/common";
import {
  hasCode,
  nodeDisk,
  removeQuietly,
  writeFileAtomic,
  writeNewFile,
} from "@caliban/common/node";
import { type ProjectRecord, renderProjectRecord } from "../../project/record.ts";
import { gitRemotes } from "./git-files.ts";
import { RECORD_FILE } from "./identity.ts";

/** Records which project a home belongs to, unless that is recorded already: of two first writers, one succeeds. */
export async function writeProjectRecord(
  home: string,
  {
    path,
    env,
    isRepository,
  }: { readonly path: string; readonly env: Environment; readonly isRepository: boolean },
): Promise<void> {
  const { gitRootCommits } = await import("./git-facts.ts");
  const remotes = isRepository ? gitRemotes(path) : [];
  const rootCommits = isRepository ? await gitRootCommits(path, env) : [];
  await nodeDisk.makeDirectory(home);
  const record = renderProjectRecord({ path, rootCommits, remotes });
  const temporary = join(home, `.${RECORD_FILE}.${crypto.randomUUID()}.tmp`);
  try {
    await writeNewFile(nodeDisk, temporary, record);
    // A link never replaces a file, and the record is complete from the start.
    await nodeDisk.link(temporary, join(home, RECORD_FILE));
    await nodeDisk.syncDirectory(home);
  } catch (error) {
    if (!hasCode(error, "EEXIST", "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS")) throw error;
    if (!hasCode(error, "EEXIST")) await createRecord(join(home, RECORD_FILE), record);
  } finally {
    await removeQuietly(nodeDisk, temporary);
  }
}

/** For file systems without hard links. */
async function createRecord(path: string, record: string): Promise<void> {
  try {
    await writeNewFile(nodeDisk, path, record);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

/** Replaces what is recorded about a project. */
export async function replaceProjectRecord(home: string, record: ProjectRecord): Promise<void> {
  await writeFileAtomic(join(home, RECORD_FILE), renderProjectRecord(record));
}
