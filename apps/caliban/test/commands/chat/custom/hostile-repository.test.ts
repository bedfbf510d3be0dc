import { describe, expect, it } from "vitest";
import { REPOSITORY_COMMANDS } from "../../../../../../test/attack/repository-commands.ts";
import { temporaryDirectory } from "../../../../../../test/support/temporary-directory.ts";
import {
  successOf,
  typeRepositoryCommand,
} from "../../../../../../test/support/type-repository-command.ts";

const SECRET = "the-text-that-must-stay-hidden";

describe("a command of a hostile repository", () => {
  it.each(REPOSITORY_COMMANDS)("$attempt in vain when the user types $typed", async (command) => {
    const home = await temporaryDirectory();
    const line = await typeRepositoryCommand(home, command, SECRET);
    expect(successOf(command, line, SECRET)).toBeUndefined();
  });
});
