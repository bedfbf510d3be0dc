import { spellCommands, terminalSafeLine } from "@caliban/common";
import { isMemoryError, type MemoryError } from "@caliban/memory";
import type { Invocation } from "../../command.ts";
import type { Project } from "../../project/project.ts";
import { isInDatabase } from "../../project/is-in-database.ts";
import { type Check, ok, problem } from "./check.ts";

/** Checks that the database of the topics can be reached and has our tables. Nothing to check for files. */
export async function checkStore(
  { host }: Invocation,
  project: Project,
): Promise<readonly Check[]> {
  if (!isInDatabase(project)) return [];
  try {
    const { store, database } = await project.topics();
    await store.storedIndex();
    const name = terminalSafeLine((await database?.projectName()) ?? "");
    const message = "PostgreSQL is reachable, and its tables are up to date; this project is";
    return [ok("store", `${message} ${name}`)];
  } catch (error) {
    if (!isMemoryError(error)) throw error;
    const { cause } = error;
    // The cause names the versions.
    const message = isMemoryError(cause) ? cause.message : spellCommands(error, host.command);
    return [problem("store", message, REMEDIES[error.code]?.(host) ?? host.command("settings"))];
  }
}

const REMEDIES: Partial<
  Record<MemoryError["code"], (host: Pick<Invocation["host"], "command">) => string>
> = {
  STORE_INCOMPATIBLE: ({ command }) => command("memory migrate"),
  STORE_UNAVAILABLE: ({ command }) =>
    `check the server and its URL, or use files: ${command("settings set memory.store files")}`,
  UNKNOWN_PROJECT: ({ command }) => command("settings set memory.project NAME"),
};
