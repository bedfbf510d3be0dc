import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resolveShadowing } from "../src/shadowing.ts";
import type { Skill, SkillOrigin } from "../src/skill.ts";

const skill = (origin: SkillOrigin, name: string, changes: Partial<Skill> = {}): Skill => ({
  name,
  description: "d",
  body: "b\n",
  path: `/${origin}/${name}`,
  origin,
  modelInvocation: true,
  ...changes,
});

/** The kept skills and the diagnostics, as `origin/name` and `CODE origin/name`. */
function outcome(...candidates: readonly Skill[]): readonly string[] {
  const { skills, diagnostics } = resolveShadowing(candidates);
  const kept = skills.map(({ path }) => path.slice(1));
  return [...kept, ...diagnostics.map(({ code, path }) => `${code} ${path.slice(1)}`)];
}

describe("resolveShadowing", () => {
  it.for([
    [
      ["workspace a", "user b", "bundled c"],
      ["workspace/a", "user/b", "bundled/c"],
    ],
    [
      ["workspace a", "user A"],
      ["workspace/a", "SHADOWED user/A"],
    ],
    [
      ["user a", "generated a"],
      ["user/a", "SHADOWED generated/a"],
    ],
    [
      ["user a", "bundled a"],
      ["user/a", "SHADOWED bundled/a"],
    ],
    [
      ["bundled a", "user a"],
      ["bundled/a", "SHADOWED user/a"],
    ],
    [
      ["workspace a", "bundled a"],
      ["bundled/a", "BUNDLED_NAME workspace/a"],
    ],
    [
      ["bundled a", "generated A"],
      ["bundled/a", "BUNDLED_NAME generated/A"],
    ],
    [
      ["workspace a", "user a", "generated a", "bundled a"],
      ["user/a", "BUNDLED_NAME workspace/a", "BUNDLED_NAME generated/a", "SHADOWED bundled/a"],
    ],
    [
      ["user constructor", "user __proto__"],
      ["user/constructor", "user/__proto__"],
    ],
  ] as const)("resolveShadowing turns %j into %j", ([written, expected]) => {
    const candidates = written.map((text) => {
      const [origin = "", name = ""] = text.split(" ");
      return skill(origin as SkillOrigin, name);
    });
    expect(outcome(...candidates)).toEqual(expected);
  });

  it("resolveShadowing names the path that comes first", () => {
    const { diagnostics } = resolveShadowing([
      skill("workspace", "a", { path: "/app/\u001B[2J/SKILL.md" }),
      skill("user", "a"),
    ]);
    expect(diagnostics).toEqual([
      {
        code: "SHADOWED",
        path: "/user/a",
        message: String.raw`Not used, because /app/\u{1b}[2J/SKILL.md is also named a and comes first.`,
      },
    ]);
  });

  it.for([
    [true, true],
    [false, false],
  ] as const)(
    "resolveShadowing always loads a skill that replaces a bundled one if the model may invoke it: %j",
    ([modelInvocation, alwaysLoaded]) => {
      const { skills } = resolveShadowing([
        skill("user", "NOTES", { modelInvocation }),
        skill("bundled", "notes", { alwaysLoaded: true }),
      ]);
      expect(skills).toMatchObject([{ origin: "user", name: "notes", alwaysLoaded }]);
    },
  );

  it("resolveShadowing always loads no other skill", () => {
    const { skills } = resolveShadowing([skill("user", "a"), skill("bundled", "b")]);
    expect(skills.filter(({ alwaysLoaded }) => alwaysLoaded)).toEqual([]);
  });
});

it("resolveShadowing keeps every name once, protects bundled names and accounts for each candidate", () => {
  const candidate = fc.record({
    origin: fc.constantFrom<SkillOrigin>("workspace", "user", "generated", "bundled"),
    name: fc.constantFrom("a", "A", "b", "c"),
  });
  fc.assert(
    fc.property(fc.array(candidate, { maxLength: 8 }), (written) => {
      const candidates = written.map(({ origin, name }, index) =>
        skill(origin, name, { path: `/${index}` }),
      );
      const { skills, diagnostics } = resolveShadowing(candidates);
      const names = skills.map(({ name }) => name.toLowerCase());
      expect(new Set(names).size).toBe(names.length);
      const bundled = new Set(
        candidates
          .filter(({ origin }) => origin === "bundled")
          .map(({ name }) => name.toLowerCase()),
      );
      const given = skills.filter(
        ({ name, origin }) =>
          bundled.has(name.toLowerCase()) && origin !== "user" && origin !== "bundled",
      );
      expect(given).toEqual([]);
      const paths = [...skills, ...diagnostics].map(({ path }) => path);
      expect(paths.toSorted()).toEqual(candidates.map(({ path }) => path).toSorted());
    }),
  );
});
