import { posix } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MemorySkill } from "../../src/generation/memory.ts";
import { sanitizeSkills } from "../../src/generation/safe-skills.ts";
import { parseSkill } from "../../../skills/src/parse-skill.ts";

const NONE = { kept: new Set<string>(), deleted: new Set<string>() };

function skill(name: string, part: Partial<MemorySkill> = {}): MemorySkill {
  return { name, content: "# Do it\n\nSteps.", scripts: [], templates: [], examples: [], ...part };
}

describe("sanitizeSkills", () => {
  it("gives skills unique names", () => {
    const { skills } = sanitizeSkills([skill("Deploy"), skill("deploy"), skill("de ploy")], NONE);
    expect(skills.map(({ name }) => name)).toEqual(["deploy", "deploy-2", "de-ploy"]);
  });

  it("accepts at most twenty skills", () => {
    const many = Array.from({ length: 25 }, (_, index) => skill(`s${index}`));
    const { skills, notices } = sanitizeSkills(many, NONE);
    expect(skills).toHaveLength(20);
    expect(notices).toHaveLength(5);
    expect(notices[0]?.message).toBe('Skill "s20": rejected because there are more than 20.');
  });

  it("never replaces a skill that the user wrote or deleted, under any spelling or number", () => {
    const reserved = { kept: new Set(["mine"]), deleted: new Set(["gone"]) };
    const answered = [skill("Mine"), skill("gone"), skill("GONE"), skill("other")];
    const { skills, notices } = sanitizeSkills(answered, reserved);
    expect(skills.map(({ name }) => name)).toEqual(["other"]);
    expect(notices.map(({ message }) => message)).toEqual([
      'Skill "gone": rejected because you deleted a skill of that name.',
      'Skill "GONE": rejected because you deleted a skill of that name.',
    ]);
  });

  it.for([
    ["a path that leads outside", "../../x", "x"],
    ["a file that is not text", "x", "\0"],
    ["a file that is too long", "x", "x".repeat(64 * 1024 + 1)],
    ["a file with the name of a directory", "a", "x"],
    ["a name that differs only in case", "A/B", "x"],
  ])("rejects and reports %s", ([, path = "", content = ""]) => {
    const scripts = [
      { path: "a/b", content: "first" },
      { path, content },
    ];
    const { skills, notices } = sanitizeSkills([skill("x", { scripts })], NONE);
    expect(skills[0]?.files.map((file) => file.path)).toEqual(["SKILL.md", "scripts/a/b"]);
    expect(notices).toHaveLength(1);
    expect(notices[0]?.message).toContain(JSON.stringify(`scripts/${path}`));
  });

  it("accepts at most twenty files and 256 KiB per skill", () => {
    const files = (length: number, bytes: number): MemorySkill["scripts"] =>
      Array.from({ length }, (_, index) => ({ path: `f${index}`, content: "x".repeat(bytes) }));
    const { skills } = sanitizeSkills(
      [skill("many", { scripts: files(30, 1) }), skill("big", { templates: files(6, 60_000) })],
      NONE,
    );
    expect(skills.map((one) => one.files.length)).toEqual([20, 5]);
  });

  it("rejects a skill without text or a name", () => {
    const answered = [skill("empty", { content: "---\nname: x\n---\n\n" }), skill("../..")];
    const { skills, notices } = sanitizeSkills(answered, NONE);
    expect(skills).toEqual([]);
    expect(notices).toHaveLength(2);
  });
});

describe("renderSkill", () => {
  it.for([
    [
      "the description of the answer",
      "---\nname: other\ndescription: How to deploy\n---\nText.",
      "How to deploy",
    ],
    ["a quoted description", '---\ndescription: "a: \\"b\\""\n---\nText.', 'a: "b"'],
    [
      "a description of several lines",
      "---\ndescription: >\n  one\n  two\nother: x\n---\nText.",
      "one two",
    ],
    ["the first line without a description", "# Do it\n\nText.", "Do it"],
    ["the first line if the header never ends", "---\nname: x\nText.", "name: x"],
    ["no markup and no terminal controls", "# <b>\u001B[31m\n", String.raw`&lt;b>\u{1b}[31m`],
    ["the name without any words", "???", "x"],
  ])("writes %s", ([, content = "", description = ""]) => {
    const text = sanitizeSkills([skill("x", { content })], NONE).skills[0]?.files[0]?.content ?? "";
    const source = { path: "x", origin: "generated", directoryName: "x" } as const;
    expect(parseSkill(text, source)).toMatchObject({
      kind: "skill",
      skill: { name: "x", description },
    });
  });

  it("writes a SKILL.md that the skill loader accepts, whatever the answer says", () => {
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
        const { skills } = sanitizeSkills([skill("x", { content: pieces.join("") })], NONE);
        const text = skills[0]?.files[0]?.content;
        if (text === undefined) return;
        const source = { path: "x", origin: "generated", directoryName: "x" } as const;
        expect(parseSkill(text, source)).toMatchObject({ kind: "skill", skill: { name: "x" } });
      }),
      { numRuns: 1_000 },
    );
  });
});

it("keeps every path of an answer inside the skills directory", () => {
  const part = fc.constantFrom("..", "/", "\\", "a", "con", ".", ":", "\0");
  const hostile = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(hostile, hostile, (name, path) => {
      const files = [{ path, content: "x" }];
      const { skills } = sanitizeSkills([skill(name, { examples: files })], NONE);
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
