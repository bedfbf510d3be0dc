import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandParts, isCompound } from "../../../src/permissions/shell/compound-command.ts";

describe("isCompound", () => {
  it.for(["git status", "git commit -m 'a (b)'", "echo $HOME ${HOME}", "ls *.ts ~/x", ""])(
    "treats %j as a single command",
    (command) => {
      expect(isCompound(command)).toBe(false);
    },
  );

  it.for([
    "a; b",
    "a & b",
    "a && b",
    "a || b",
    "a | b",
    "a\nb",
    "a\rb",
    "a `b`",
    "a $(b)",
    "a > b",
    "a < b",
    "a <(b)",
    "git status ${x:='$'(touch PWNED)} ${x@P}",
    "git status ${x@P}",
    "git status $[a[0]]",
    "git status $'\\x3b'",
    'git status $"x"',
    "git status $@",
  ])("treats %j as a compound command", (command) => {
    expect(isCompound(command)).toBe(true);
  });
});

describe("commandParts", () => {
  it.for([
    "rm -rf x",
    "  rm -rf x",
    "rm   -rf\tx",
    "ls && rm -rf x",
    "ls;rm -rf x",
    "ls\nrm -rf x\n",
    "echo $(rm -rf x)",
    "echo `rm -rf x`",
    "(cd /tmp && (rm -rf x))",
    "{ rm -rf x; }",
    "cat <(rm -rf x)",
  ])("finds the command that is hidden in %j", (command) => {
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
