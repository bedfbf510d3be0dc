import type { CommandResult, Invocation } from "../../../command.ts";
import { migratePostgres } from "../../../project/postgres-topics.ts";
import { openProject } from "../../../project/project.ts";
import { settingsWarnings } from "../../warnings.ts";
import { output } from "../output.ts";

/** `caliban memory migrate`: creates the tables in PostgreSQL, or brings them up to date. */
export async function migrateDatabase(invocation: Invocation): Promise<CommandResult> {
  const project = await openProject(invocation);
  await migratePostgres(project);
  return output(invocation, {
    data: { kind: "migrated" },
    text: "the tables in PostgreSQL are up to date\n",
    stderr: settingsWarnings(invocation.host, project.settings.warnings),
  });
}
