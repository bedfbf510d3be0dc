import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { renderBundled } from "../scripts/render-bundled.ts";
import { bundledSkills } from "../src/bundled/bundled-skills.ts";
import { offeredSkills } from "../src/skill.ts";
import { parseSkill } from "../src/parse-skill.ts";

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const text = read("skills/auto-memory/SKILL.md");

describe("the auto-memory skill", () => {
  it("the bundled text is up to date with SKILL.md", () => {
    expect(
      read("src/bundled/auto-memory-text.ts"),
      "run `pnpm --filter @caliban/skills bundled` after a change of SKILL.md",
    ).toBe(renderBundled(text));
  });

  it("bundledSkills returns what the parser reads from SKILL.md, always loaded", () => {
    const path = "bundled:auto-memory";
    const parsed = parseSkill(text, { directoryName: "auto-memory", path, origin: "bundled" });
    expect(parsed.kind === "skill" && [{ ...parsed.skill, alwaysLoaded: true }]).toEqual(
      bundledSkills(),
    );
  });

  it("the bundled skill is smaller than 4,200 bytes", () => {
    expect(Buffer.byteLength(text)).toBeLessThan(4200);
  });

  it("the bundled skill names the index tag without opening or closing it", () => {
    const [{ body } = { body: "" }] = bundledSkills();
    expect(body).toContain("`<auto-memory-index>`");
    expect(body).not.toMatch(/^<|<\//m);
  });

  it("the bundled skill can be invoked by the model", () => {
    expect(offeredSkills(bundledSkills())).toHaveLength(1);
  });
});

it.for(["`", "\\", "${a}", "a\\`${`"])("renderBundled escapes %j", async (body) => {
  const source = renderBundled(`---\ndescription: d\n---\n${body}\n`).replaceAll(": string", "");
  const module: unknown = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  expect(module).toMatchObject({ AUTO_MEMORY_BODY: `${body}\n` });
});

it("renderBundled throws for an invalid skill", () => {
  expect(() => renderBundled("---\nname: a\n---\n")).toThrow(
    /SKILL\.md:1: The description is missing/,
  );
});
