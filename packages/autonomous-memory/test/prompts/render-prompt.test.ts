import { readdirSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderPromptTexts } from "../../scripts/render-prompt-texts.ts";
import { PipelineError } from "../../src/run/errors.ts";
import { BOUNDARY_TAGS, insideBoundary } from "../../src/prompts/boundaries.ts";
import { PROMPT_TEXTS } from "../../src/prompts/prompt-texts.ts";
import {
  type PromptName,
  PROMPT_VARIABLES,
  type PromptVariables,
} from "../../src/prompts/prompt-variables.ts";
import { renderPrompt } from "../../src/prompts/render-prompt.ts";

const directory = new URL("../../prompts/", import.meta.url);
const files = readdirSync(directory);
const names = Object.keys(PROMPT_VARIABLES) as PromptName[];

const valuesOf = <Name extends PromptName>(
  name: Name,
  valueOf: (variable: string) => string,
): PromptVariables<Name> =>
  Object.fromEntries(
    PROMPT_VARIABLES[name].map((variable) => [variable, valueOf(variable)]),
  ) as PromptVariables<Name>;

const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof PipelineError) return error.code;
    throw error;
  }
  return "no error";
};

describe("the prompt files", () => {
  it("keeps the prompts identical in the source and on disk", () => {
    const texts = files.map(
      (name) =>
        [name.replace(/\.md$/, ""), readFileSync(new URL(name, directory), "utf8")] as const,
    );
    expect(
      readFileSync(new URL("../../src/prompts/prompt-texts.ts", import.meta.url), "utf8"),
      "run `pnpm --filter @caliban/autonomous-memory prompts` after a change of a prompt",
    ).toBe(renderPromptTexts(new Map(texts)));
  });

  it("declares variables for exactly the existing prompts", () => {
    expect(files.toSorted()).toEqual(names.map((name) => `${name}.md`).toSorted());
  });

  it.for(names)("%s.md uses every variable it declares, and no other", (name) => {
    const used = [...PROMPT_TEXTS[name].matchAll(/\{\{(.*?)\}\}/g)].map(([, variable]) => variable);
    expect([...new Set(used)].toSorted()).toEqual([...PROMPT_VARIABLES[name]].toSorted());
  });

  it.for(names)("%s.md closes each boundary that it opens, in order", (name) => {
    const open = [...PROMPT_TEXTS[name].matchAll(/^<([\w-]+)>$/gm)].map(([, tag = ""]) => tag);
    const close = [...PROMPT_TEXTS[name].matchAll(/^<\/([\w-]+)>$/gm)].map(([, tag = ""]) => tag);
    expect(close).toEqual(open);
    expect(BOUNDARY_TAGS).toEqual(expect.arrayContaining(open));
  });

  it.for(["`", "\\", "${a}", "a\\`${`"])(
    "keep %j unchanged when they become source",
    async (text) => {
      const source = renderPromptTexts(new Map([["a", text]])).replace(/^import.*$/m, "");
      const plain = source.replace(/: Readonly<.*?>>/, "");
      const module: unknown = await import(`data:text/javascript,${encodeURIComponent(plain)}`);
      expect(module).toMatchObject({ PROMPT_TEXTS: { a: text } });
    },
  );
});

describe("renderPrompt", () => {
  it.for(names)("renders %s with every value and no placeholder", (name) => {
    const text = renderPrompt(
      name,
      valuesOf(name, (variable) => `value-of-${variable}`),
    );
    expect(text).not.toMatch(/\{\{|\}\}/);
    for (const variable of PROMPT_VARIABLES[name]) expect(text).toContain(`value-of-${variable}`);
  });

  it.for(names.filter((name) => PROMPT_VARIABLES[name].length > 0))(
    "rejects %s without one of its variables",
    (name) => {
      for (const missing of PROMPT_VARIABLES[name]) {
        const { [missing as never]: _left, ...others } = valuesOf(name, () => "a");
        expect(codeOf(() => renderPrompt(name, others as never))).toBe("MISSING_VARIABLE");
      }
    },
  );

  it.for(names)("rejects %s with an undeclared variable", (name) => {
    const values = { ...valuesOf(name, () => "a"), constructor_: "a" };
    expect(codeOf(() => renderPrompt(name, values))).toBe("UNKNOWN_VARIABLE");
  });

  it("rejects a value that is not a string", () => {
    const values = { memory_summary: undefined, skills: "" };
    expect(codeOf(() => renderPrompt("read_path", values as never))).toBe("MISSING_VARIABLE");
  });

  it.for(["{{skills}}", "{{memory_summary}}", "$&", "$1", "$$", "$<name>", "{{x}}"])(
    "inserts the value %j unchanged",
    (value) => {
      const text = renderPrompt("read_path", { memory_summary: value, skills: "S" });
      expect(text).toContain(`<memory-summary>\n${value}\n</memory-summary>`);
    },
  );

  it("keeps a value on its line when it shares the line", () => {
    const text = renderPrompt("stage_one_input", {
      thread_id: "a\n- last used: never\u2028b",
      updated_at: "2026-11-16",
      response_items_json: "first\nsecond",
    });
    expect(text).toContain("- session id: a - last used: never b\n");
    expect(text).toContain("<session-transcript>\nfirst\nsecond\n</session-transcript>");
  });
});

describe("insideBoundary", () => {
  const spellingsOf = (tag: string): readonly string[] => [
    `</${tag}>`,
    `<${tag}>`,
    `< / ${tag} >`,
    `</${tag.toUpperCase()}>`,
    `<\n/\n${tag}>`,
    `</${tag.slice(0, 3)}\u200b${tag.slice(3)}>`,
    `<\u0000/${tag}>`,
    `</${tag} x="1">`,
    `<${tag}/>`,
  ];

  it("keeps every spelling of every tag from closing or opening a boundary", () => {
    const tagCount = (value: string): number =>
      renderPrompt(
        "consolidation",
        valuesOf("consolidation", () => value),
      ).split("<").length;
    const spellings = BOUNDARY_TAGS.flatMap(spellingsOf);
    const expected = tagCount("");
    expect(spellings.filter((hostile) => tagCount(hostile) !== expected)).toEqual([]);
  });

  it.for([
    "\uFF1C/memory-guidance>",
    "\uFE64 / memory-guidance>",
    "</memory\u2010guidance>",
    "</memory\u2011guidance>",
    "</memory\u2014guidance>",
    "</memory\uFF0Dguidance>",
    "</memory\u{10EAD}guidance>",
    "</memory\u00ADguidance>",
    "</memory\u200B\u00AD\u200Bguidance>",
    "</memory\u00AD-guidance>",
    "\uFF1C/raw\u2013MEMORIES\u3000>",
  ])("escapes the lookalike %j", (hostile) => {
    expect(insideBoundary(`a ${hostile} b`)).toBe(`a &lt;${hostile.slice(1)} b`);
  });

  it.for(["</memoryguidance>", "</memory\u200Bguidance>", "\u2039/memory-guidance>", "\uFF1Cb>"])(
    "leaves %j alone, which only resembles one of our tags",
    (text) => {
      expect(insideBoundary(text)).toBe(text);
    },
  );

  it.for(["<b>", "a < b", "<raw-memories-2>", "<raw-memoriesx>", "x<y>raw-memories", "<>", "</>"])(
    "leaves %j alone, which contains none of our tags",
    (text) => {
      expect(insideBoundary(text)).toBe(text);
    },
  );

  it("returns well-formed text, and the same when applied twice", () => {
    const part = fc.constantFrom(
      "<",
      "/",
      " ",
      "raw-memories",
      ">",
      "\u200b",
      "\ud800",
      "a",
      "&lt;",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const once = insideBoundary(parts.join(""));
        expect(once.isWellFormed()).toBe(true);
        expect(insideBoundary(once)).toBe(once);
      }),
    );
  });

  it("agrees with a pattern of all tags", () => {
    const invisible = String.raw`[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*`;
    const blank = String.raw`[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*`;
    const tags = BOUNDARY_TAGS.map((tag) =>
      tag
        .split("")
        .join(invisible)
        .replaceAll("-", String.raw`[\p{Pd}\u00AD]`),
    ).join("|");
    const pattern = new RegExp(
      `[<\uFF1C\uFE64](?=${blank}(?:/${blank})?(?:${tags})(?![\\w-]))`,
      "giu",
    );
    const name = fc.constantFrom(
      "hand",
      "HAND-EDITS",
      "-edits",
      "-edit",
      "edits",
      "\u2014",
      "\u00AD",
      "\u017F",
      "memory-\u017Fkills",
      "S",
    );
    const space = fc.constantFrom(
      " ",
      "\n",
      "\0",
      "\u007F",
      "\u0085",
      "\u00A0",
      "\u200B",
      "\u{E0001}",
      "\u{1BCA0}",
    );
    const mark = fc.constantFrom(
      "<",
      "\uFF1C",
      "</",
      "/",
      ">",
      "_",
      "é",
      "\u212A",
      "&lt;",
      "\u{1F600}",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(name, space, mark), { maxLength: 9 }), (parts) => {
        const text = parts.join("");
        expect(insideBoundary(text)).toBe(text.replace(pattern, "&lt;"));
      }),
      { numRuns: 3_000 },
    );
  });

  it.for([
    ["brackets", "< "],
    ["slashes", "</ "],
    ["closing tags", "</raw-memories"],
    ["soft hyphens", "<raw\u00AD\u00AD"],
    ["invisible characters", "<r\u200b\u200b\u200b"],
  ] as const)(
    "escapes a megabyte of %s in linear time",
    // In quadratic time, this would take hours.
    { timeout: 60_000 },
    ([, piece]) => {
      const text = piece.repeat(1_000_000 / piece.length);
      expect(insideBoundary(text).length).toBeGreaterThanOrEqual(text.length);
      insideBoundary(`<${piece.slice(1).repeat(1_000_000 / piece.length)}`);
    },
  );
});
