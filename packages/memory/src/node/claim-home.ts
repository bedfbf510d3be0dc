import { join } from "node:path";
import type { Environment } from "@caliban/common";
import { hasCode, nodeDisk, removeQuietly, writeNewFile } from "@caliban/common/node";
import { renderProjectRecord } from "../project-record.ts";
import { RECORD_FILE } from "./project-home.ts";

/** Writes down whose home it is, unless that stands there: of two first writers, one does. */
export async function claimHome(
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
  const temporary = join(home, `.${RECORD_FILE}.${crypto.randomUUID()}.tmp`);
  try {
    await writeNewFile(nodeDisk, temporary, renderProjectRecord({ path, rootCommits, remotes }));
    // A link is made only where nothing is, and the record is whole from the beginning.
    await nodeDisk.link(temporary, join(home, RECORD_FILE));
    await nodeDisk.syncDirectory(home);
  } catch (error) {
    if (hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS")) {
      await nodeDisk.rename(temporary, join(home, RECORD_FILE));
    } else if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await removeQuietly(nodeDisk, temporary);
  }
}
