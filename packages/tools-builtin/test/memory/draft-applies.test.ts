import { describe, expect, it } from "vitest";
import { draftApplies } from "../../src/memory/draft-applies.ts";

type Calls = Parameters<typeof draftApplies>[1];

function calls(...subjects: readonly string[]): Calls {
  return subjects.map((subject) => {
    const isCommand = subject.startsWith("$ ");
    return {
      tool: isCommand ? "Bash" : "Read",
      permission: isCommand ? "shell.run" : "fs.read",
      subject: isCommand ? subject.slice(2) : subject,
      isInTurn: true,
    };
  });
}

describe("draftApplies", () => {
  it.for([
    ["the file that the text names", "The pool in src/db/pool.ts is capped.", ["src/db/pool.ts"]],
    ["a file named by its last part", "pool.ts is capped at 20.", ["src/db/pool.ts"]],
    ["the directory that the text names", "Everything in src/db uses one pool.", ["src/db/**"]],
    ["no file that the text does not name", "Connections are capped at 20.", undefined],
    ["no file whose name is part of another", "mypool.tsx and src/dbs are capped.", undefined],
    ["no directory that holds everything", "In src/ tests are next to the code.", undefined],
  ] as const)("drafts %s", ([, text, paths]) => {
    const drafted = draftApplies(text, calls("src/db/pool.ts", "src/x.ts"));
    expect(drafted?.paths).toEqual(paths);
  });

  it.for([
    ["Use pnpm, never npm.", "$ npm test", ["npm *"]],
    ["Deploy with pnpm ship.", "$ CI=1 pnpm ship --dry-run && ls", ["pnpm ship*"]],
    ["Make sure that git is clean.", "$ make && git status", undefined],
    ["Run `make lint` before a push.", "$ make lint", ["make lint*"]],
    ["The list of files is long.", "$ ls -la | grep list", undefined],
    ["Nothing about it.", "$ npm test", undefined],
  ] as const)("drafts for %j after %j the commands %j", ([text, command, commands]) => {
    expect(draftApplies(text, calls(command))?.commands).toEqual(commands);
  });

  it("drafts nothing from another turn, from outside of the workspace or from a topic", () => {
    const text = "See pool.ts, /etc/hosts, ~/x.ts and memory://root.";
    const earlier = calls("src/pool.ts").map((call) => Object.assign(call, { isInTurn: false }));
    const outside = calls("/etc/hosts", "~/x.ts", "memory://root", ".", "../pool.ts");
    expect(draftApplies(text, [...earlier, ...outside])).toBeUndefined();
  });

  it("drafts at most three paths, the newest first, as literal globs", () => {
    const names = ["a1.ts", "b2.ts", "c3.ts", "[id].ts"];
    const drafted = draftApplies(names.join(", "), calls(...names));
    expect(drafted?.paths).toEqual(["\\[id\\].ts", "c3.ts", "b2.ts"]);
  });
});
