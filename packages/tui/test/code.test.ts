import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHighlighter, loadLanguages } from "../src/code/highlighter.ts";
import { createTheme } from "../src/theme.ts";
import { plain } from "./plain-lines.ts";

async function loaded(color = true): Promise<ReturnType<typeof createHighlighter>> {
  const mark = await loadLanguages();
  const highlighter = createHighlighter({
    theme: createTheme({ color }),
    load: async () => mark,
    onLoad: () => undefined,
  });
  highlighter.lines("x", "ts");
  await Promise.resolve();
  await Promise.resolve();
  return highlighter;
}

describe("the highlighter", () => {
  it("colors the words of a language that it knows, by its usual names", async () => {
    const { lines } = await loaded();
    for (const name of ["ts", "TypeScript", "tsx", "js title=a.js"]) {
      expect(lines("const a = 1;", name)[0]).toContain("\u001B[38;5;141mconst\u001B[39m");
    }
    expect(lines("const a = 1;", "no-such-language")).toEqual(["const a = 1;"]);
    expect(lines("const a = 1;", undefined)).toEqual(["const a = 1;"]);
  });

  it("uses other colors on a light background, and none without color", async () => {
    const mark = await loadLanguages();
    const light = createHighlighter({
      theme: createTheme({ color: true, shade: () => "light" }),
      load: async () => mark,
      onLoad: () => undefined,
    });
    light.lines("x", "ts");
    await new Promise((resolve) => setTimeout(resolve));
    expect(light.lines("const a", "ts")[0]).toContain("\u001B[38;5;91mconst");
    const { lines } = await loaded(false);
    expect(lines("const a", "ts")).toEqual(["const a"]);
  });

  it("never changes the text, and adds nothing but colors that end with the line", async () => {
    const { lines } = await loaded();
    const code = fc.string({
      unit: fc.constantFrom(
        "a",
        " ",
        "\n",
        "<",
        "&",
        '"',
        "'",
        "`",
        "/*",
        "*/",
        "//",
        "</span>",
        "&lt;",
        "{",
        "}",
        "1",
      ),
      maxLength: 30,
    });
    fc.assert(
      fc.property(
        code,
        fc.constantFrom("ts", "html", "bash", "python", "json", "diff"),
        (text, language) => {
          const styled = lines(text, language);
          expect(plain(styled)).toEqual(text.split("\n").map((line) => line.trimEnd()));
          for (const line of styled) {
            // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
            const codes = [...line.matchAll(/\u001B\[([\d;]+)m/g)].map(([, number]) => number);
            expect(codes.filter((number) => number === "39" || number === "22")).toHaveLength(
              codes.length / 2,
            );
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it("leaves a block without color that would take too long", async () => {
    const { lines } = await loaded();
    const long = "const a = 1;\n".repeat(5000);
    expect(lines(long, "ts").join("\n")).toBe(long);
  });
});
