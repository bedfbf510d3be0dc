import { posix } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MemorySkill } from "../../src/generation/memory.ts";
import { sanitizeSkills } from "../../src/generation/safe-skills.ts";
import { parseSkill } from "../../../skills/src/parse-skill.ts";

const NOBODYS = { kept: new Set<string>(), deleted: new Set<string>() };

function skill(name: string, part: Partial<MemorySkill> = {}): MemorySkill {
  return { name, content: "# Do it\n\nSteps.", scripts: [], templates: [], examples: [], ...part };
}

describe("the skills of an answer", () => {
  it("have names that are theirs alone", () => {
    const { skills } = sanitizeSkills([skill("Deploy"), skill("deploy"), skill("de ploy")], NOBODYS);
    expect(skills.map(({ name }) => name)).toEqual(["deploy", "deploy-2", "de-ploy"]);
  });

  it("are at most twenty", () => {
    const many = Array.from({ length: 25 }, (_, index) => skill(`s${index}`));
    const { skills, notices } = sanitizeSkills(many, NOBODYS);
    expect(skills).toHaveLength(20);
    expect(notices).toHaveLength(5);
    expect(notices[0]).toBe('Skill "s20" was left out: there are at most 20.');
  });

  it("do not take the place of what a person wrote or deleted, under any spelling or number", () => {
    const taken = { kept: new Set(["mine"]), deleted: new Set(["gone"]) };
    const answered = [skill("Mine"), skill("gone"), skill("GONE"), skill("other")];
    const { skills, notices } = sanitizeSkills(answered, taken);
    expect(skills.map(({ name }) => name)).toEqual(["other"]);
    expect(notices).toEqual([
      'Skill "gone" was left out: you deleted the one of that name.',
      'Skill "GONE" was left out: you deleted the one of that name.',
    ]);
  });

  it.for([
    ["a path that leads out", "../../x", "x"],
    ["a file that is no text", "x", "\0"],
    ["a file that is too long", "x", "x".repeat(64 * 1024 + 1)],
    ["a file in the place of a directory", "a", "x"],
    ["a name that differs in case alone", "A/B", "x"],
  ])("leave out %s and say so", ([, path = "", content = ""]) => {
    const scripts = [
      { path: "a/b", content: "first" },
      { path, content },
    ];
    const { skills, notices } = sanitizeSkills([skill("x", { scripts })], NOBODYS);
    expect(skills[0]?.files.map((file) => file.path)).toEqual(["SKILL.md", "scripts/a/b"]);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain(JSON.stringify(`scripts/${path}`));
  });

  it("have at most twenty files and 256 KiB each", () => {
    const files = (length: number, bytes: number): MemorySkill["scripts"] =>
      Array.from({ length }, (_, index) => ({ path: `f${index}`, content: "x".repeat(bytes) }));
    const { skills } = sanitizeSkills(
      [skill("many", { scripts: files(30, 1) }), skill("big", { templates: files(6, 60_000) })],
      NOBODYS,
    );
    expect(skills.map((one) => one.files.length)).toEqual([20, 5]);
  });

  it("are left out without text or a name", () => {
    const answered = [skill("empty", { content: "---\nname: x\n---\n\n" }), skill("../..")];
    const { skills, notices } = sanitizeSkills(answered, NOBODYS);
    expect(skills).toEqual([]);
    expect(notices).toHaveLength(2);
  });
});

describe("a SKILL.md that is written", () => {
  it.for([
    [
      "its own description",
      "---\nname: other\ndescription: How to deploy\n---\nText.",
      "How to deploy",
    ],
    ["a quoted one", '---\ndescription: "a: \\"b\\""\n---\nText.', 'a: "b"'],
    ["one of several lines", "---\ndescription: >\n  one\n  two\nother: x\n---\nText.", "one two"],
    ["its first line where it has none", "# Do it\n\nText.", "Do it"],
    ["its first line where the header never ends", "---\nname: x\nText.", "name: x"],
    ["no markup and no control of a terminal", "# <b>\u001B[31m\n", String.raw`&lt;b>\u{1b}[31m`],
    ["its name where there are no words", "???", "x"],
  ])("has %s", ([, content = "", description = ""]) => {
    const text = sanitizeSkills([skill("x", { content })], NOBODYS).skills[0]?.files[0]?.content ?? "";
    const source = { path: "x", origin: "generated", directoryName: "x" } as const;
    expect(parseSkill(text, source)).toMatchObject({
      kind: "skill",
      skill: { name: "x", description },
    });
  });

  it("is taken by the loader of skills, whatever the answer says", () => {
    const piece = fc.constantFrom(
      "---\n",
      "name: ",
      "description: ",
      '"',
      "'",
      "\n",
      ": ",
      "a",
      "<",
      "|",
      "\0",
      "😀",
      "#",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
        const { skills } = sanitizeSkills([skill("x", { content: pieces.join("") })], NOBODYS);
        const text = skills[0]?.files[0]?.content;
        if (text === undefined) return;
        const source = { path: "x", origin: "generated", directoryName: "x" } as const;
        expect(parseSkill(text, source)).toMatchObject({ kind: "skill", skill: { name: "x" } });
      }),
      { numRuns: 1_000 },
    );
  });
});

it("no path of an answer leaves the directory of skills", () => {
  const part = fc.constantFrom("..", "/", "\\", "a", "con", ".", ":", "\0");
  const hostile = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(hostile, hostile, (name, path) => {
      const files = [{ path, content: "x" }];
      const { skills } = sanitizeSkills([skill(name, { examples: files })], NOBODYS);
      for (const one of skills) {
        for (const file of one.files) {
          const target = posix.resolve("/skills", one.name, file.path);
          expect(target.startsWith(`/skills/${one.name}/`)).toBe(true);
        }
      }
    }),
    { numRuns: 1_000 },
  );
});
