import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  COMPOUND_COMMANDS,
  HIDING_COMMANDS,
} from "../../../../../test/attack/compound-commands.ts";
import { commandParts, isCompound } from "../../../src/permissions/shell/compound-command.ts";

describe("isCompound", () => {
  it.for(["git status", "git commit -m 'a (b)'", "echo $HOME ${HOME}", "ls *.ts ~/x", ""])(
    "treats %j as a single command",
    (command) => {
      expect(isCompound(command)).toBe(false);
    },
  );

  it.for(COMPOUND_COMMANDS)("treats %j as a compound command", (command) => {
    expect(isCompound(command)).toBe(true);
  });
});

describe("commandParts", () => {
  it.for(HIDING_COMMANDS)("finds the command that is hidden in %j", (command) => {
    expect(commandParts(command)).toContain("rm -rf x");
  });

  it("finds a command between any separators", () => {
    const noise = fc.string({
      unit: fc.constantFrom(";", "&", "|", "\n", " ", "ls"),
      maxLength: 5,
    });
    const separator = fc.constantFrom(";", "&&", "||", "|", "\n", "`", "$(", "<(", "(", ")", "}");
    fc.assert(
      fc.property(noise, separator, separator, (before, opening, closing) => {
        expect(commandParts(`${before}${opening} rm x ${closing}ls`)).toContain("rm x");
      }),
    );
  });
});
