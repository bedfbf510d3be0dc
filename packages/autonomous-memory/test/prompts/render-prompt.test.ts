import { readdirSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderPromptTexts } from "../../scripts/render-prompt-texts.ts";
import { PipelineError } from "../../src/errors.ts";
import { BOUNDARY_TAGS, insideBoundary } from "../../src/prompts/boundaries.ts";
import { PROMPT_TEXTS } from "../../src/prompts/prompt-texts.ts";
import {
  type PromptName,
  PROMPT_VARIABLES,
  type PromptVariables,
} from "../../src/prompts/prompt-variables.ts";
import { renderPrompt } from "../../src/prompts/render-prompt.ts";
import { processorMs } from "../../../../test/support/processor-time.ts";

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

describe("the files", () => {
  it("are in the source as they are on disk", () => {
    const texts = files.map(
      (name) =>
        [name.replace(/\.md$/, ""), readFileSync(new URL(name, directory), "utf8")] as const,
    );
    expect(
      readFileSync(new URL("../../src/prompts/prompt-texts.ts", import.meta.url), "utf8"),
      "run `pnpm --filter @caliban/autonomous-memory prompts` after a change of a prompt",
    ).toBe(renderPromptTexts(new Map(texts)));
  });

  it("are those that declare variables", () => {
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

  it.for(["`", "\\", "${a}", "a\\`${`"])("stay the same in the source with %j", async (text) => {
    const source = renderPromptTexts(new Map([["a", text]])).replace(/^import.*$/m, "");
    const plain = source.replace(/: Readonly<.*?>>/, "");
    const module: unknown = await import(`data:text/javascript,${encodeURIComponent(plain)}`);
    expect(module).toMatchObject({ PROMPT_TEXTS: { a: text } });
  });
});

describe("a rendered prompt", () => {
  it.for(names)("%s has every value in it and no placeholder", (name) => {
    const text = renderPrompt(
      name,
      valuesOf(name, (variable) => `value-of-${variable}`),
    );
    expect(text).not.toMatch(/\{\{|\}\}/);
    for (const variable of PROMPT_VARIABLES[name]) expect(text).toContain(`value-of-${variable}`);
  });

  it.for(names.filter((name) => PROMPT_VARIABLES[name].length > 0))(
    "%s is refused without one of its variables",
    (name) => {
      for (const missing of PROMPT_VARIABLES[name]) {
        const { [missing as never]: _left, ...others } = valuesOf(name, () => "a");
        expect(codeOf(() => renderPrompt(name, others as never))).toBe("MISSING_VARIABLE");
      }
    },
  );

  it.for(names)("%s is refused with a variable that it does not declare", (name) => {
    const values = { ...valuesOf(name, () => "a"), constructor_: "a" };
    expect(codeOf(() => renderPrompt(name, values))).toBe("UNKNOWN_VARIABLE");
  });

  it("is refused with a value that is no text", () => {
    const values = { memory_summary: undefined, skills: "" };
    expect(codeOf(() => renderPrompt("read_path", values as never))).toBe("MISSING_VARIABLE");
  });

  it.for(["{{skills}}", "{{memory_summary}}", "$&", "$1", "$$", "$<name>", "{{x}}"])(
    "has the value %j as it is",
    (value) => {
      const text = renderPrompt("read_path", { memory_summary: value, skills: "S" });
      expect(text).toContain(`<memory-summary>\n${value}\n</memory-summary>`);
    },
  );

  it("keeps a value on its line where it shares the line", () => {
    const text = renderPrompt("stage_one_input", {
      thread_id: "a\n- last used: never\u2028b",
      updated_at: "2026-11-16",
      response_items_json: "first\nsecond",
    });
    expect(text).toContain("- session id: a - last used: never b\n");
    expect(text).toContain("<session-transcript>\nfirst\nsecond\n</session-transcript>");
  });
});

describe("a value", () => {
  const shapes = (tag: string): readonly string[] => [
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

  it.for(BOUNDARY_TAGS.flatMap(shapes))("cannot close or open a boundary with %j", (hostile) => {
    const text = renderPrompt(
      "consolidation",
      valuesOf("consolidation", () => hostile),
    );
    const clean = renderPrompt(
      "consolidation",
      valuesOf("consolidation", () => ""),
    );
    expect(tagsIn(text)).toBe(tagsIn(clean));
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
  ])("cannot seem to close a boundary with %j", (hostile) => {
    expect(insideBoundary(`a ${hostile} b`)).toBe(`a &lt;${hostile.slice(1)} b`);
  });

  it.for(["</memoryguidance>", "</memory\u200Bguidance>", "\u2039/memory-guidance>", "\uFF1Cb>"])(
    "that only resembles one of our tags stays as it is: %j",
    (harmless) => {
      expect(insideBoundary(harmless)).toBe(harmless);
    },
  );

  const tagsIn = (text: string): number => text.split("<").length;

  it.for(["<b>", "a < b", "<raw-memories-2>", "<raw-memoriesx>", "x<y>raw-memories", "<>", "</>"])(
    "that has none of our tags stays as it is: %j",
    (harmless) => {
      expect(insideBoundary(harmless)).toBe(harmless);
    },
  );

  it("is made harmless once, and is whole characters afterwards", () => {
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

  it("is made harmless as a pattern of all the tags would do it", () => {
    const unseen = String.raw`[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*`;
    const blank = String.raw`[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*`;
    const tags = BOUNDARY_TAGS.map((tag) =>
      tag
        .split("")
        .join(unseen)
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
    ["unseen characters", "<r\u200b\u200b\u200b"],
  ] as const)("of a megabyte of %s takes no longer than others", ([, piece]) => {
    const start = processorMs();
    insideBoundary(piece.repeat(1_000_000 / piece.length));
    insideBoundary(`<${piece.slice(1).repeat(1_000_000 / piece.length)}`);
    expect(processorMs() - start).toBeLessThan(1_000);
  });
});
