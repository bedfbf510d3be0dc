import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { renderBundled } from "../scripts/render-bundled.ts";
import { bundledSkills } from "../src/bundled/bundled-skills.ts";
import { offeredSkills } from "../src/offered-skills.ts";
import { parseSkill } from "../src/parse-skill.ts";

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const text = read("skills/auto-memory/SKILL.md");

describe("the auto-memory skill", () => {
  it("is in the source as it is in its file", () => {
    expect(
      read("src/bundled/auto-memory-text.ts"),
      "run `pnpm --filter @caliban/skills bundled` after a change of SKILL.md",
    ).toBe(renderBundled(text));
  });

  it("is what the parser makes of its file, and always loaded", () => {
    const path = "bundled:auto-memory";
    const parsed = parseSkill(text, { directoryName: "auto-memory", path, origin: "bundled" });
    expect(parsed.kind === "skill" && [{ ...parsed.skill, alwaysLoaded: true }]).toEqual(
      bundledSkills(),
    );
  });

  it("costs every session less than 4,200 bytes", () => {
    expect(Buffer.byteLength(text)).toBeLessThan(4200);
  });

  it("names the index without posing as it", () => {
    const [{ body } = { body: "" }] = bundledSkills();
    expect(body).toContain("`<auto-memory-index>`");
    expect(body).not.toMatch(/^<|<\//m);
  });

  it("may be invoked by the model", () => {
    expect(offeredSkills(bundledSkills())).toHaveLength(1);
  });
});

it.for(["`", "\\", "${a}", "a\\`${`"])("renders %j as the same text", async (body) => {
  const source = renderBundled(`---\ndescription: d\n---\n${body}\n`).replaceAll(": string", "");
  const module: unknown = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  expect(module).toMatchObject({ AUTO_MEMORY_BODY: `${body}\n` });
});

it("does not render what is no skill", () => {
  expect(() => renderBundled("---\nname: a\n---\n")).toThrow(/SKILL\.md:1: It needs a description/);
});
