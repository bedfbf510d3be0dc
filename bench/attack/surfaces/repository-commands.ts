import { REPOSITORY_COMMANDS } from "../../../test/attack/repository-commands.ts";
import { successOf, typeRepositoryCommand } from "../../../test/support/type-repository-command.ts";
import { type Attempt, requireOrdinary, SECRET, type Surface, withDirectory } from "../surface.ts";

/** What a command of a repository can do when the user types its name. */
export const repositoryCommands: Surface = {
  name: "commands of a repository",
  attack: async () => {
    const ordinary = await withDirectory(
      async (home) =>
        await typeRepositoryCommand(
          home,
          { attempt: "", files: { "app/.claude/commands/fix.md": "Fix it." }, typed: "/fix" },
          SECRET,
        ),
    );
    requireOrdinary(ordinary.sent?.includes("Fix it.") === true, "commands are not sent");
    const attempts: Attempt[] = [];
    for (const command of REPOSITORY_COMMANDS) {
      const line = await withDirectory(
        async (home) => await typeRepositoryCommand(home, command, SECRET),
      );
      const name = `${command.attempt}: ${command.typed}`;
      attempts.push({ name, succeeded: successOf(command, line, SECRET) !== undefined });
    }
    return attempts;
  },
};
