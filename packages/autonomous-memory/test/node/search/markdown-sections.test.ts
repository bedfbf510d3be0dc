import { describe, expect, it } from "vitest";
import { sectionDescription, splitSections } from "../../../src/node/search/markdown-sections.ts";

describe("splitSections", () => {
  it.for<readonly [string, string, readonly (readonly [string, string])[]]>([
    ["an empty text", "", []],
    ["text without headings", "a\nb\n", [["", "a\nb"]]],
    [
      "text before the first heading",
      "a\n# B\nc",
      [
        ["", "a"],
        ["B", "c"],
      ],
    ],
    [
      "headings below one another",
      "# A\na\n## B\nb\n### C\nc\n## D\nd\n# E\ne",
      [
        ["A", "a"],
        ["A/B", "b"],
        ["A/B/C", "c"],
        ["A/D", "d"],
        ["E", "e"],
      ],
    ],
    ["headings without a body", "# A\n## B\n\n# C\nc", [["C", "c"]]],
    [
      "a level that is left out",
      "# A\n### C\nc\n## B\nb",
      [
        ["A/C", "c"],
        ["A/B", "b"],
      ],
    ],
    ["a code block", "# A\n```\n# b\n```\nc", [["A", "```\n# b\n```\nc"]]],
    [
      "code in code",
      "# A\n````\n```\n# b\n````\n# C\nc",
      [
        ["A", "````\n```\n# b\n````"],
        ["C", "c"],
      ],
    ],
    ["an unclosed code block", "# A\n~~~\n# b", [["A", "~~~\n# b"]]],
    ["closing marks and Windows line endings", "\uFEFF## A ##\r\na\r\n", [["A", "a"]]],
    [
      "marks that belong to the words",
      "# C#\na\n# #\nb",
      [
        ["C#", "a"],
        ["#", "b"],
      ],
    ],
    ["a long heading", `# ${"a".repeat(500)}\nb`, [["a".repeat(200), "b"]]],
    ["a heading without text", "# \na", [["", "# \na"]]],
    [
      "lines that only look like headings",
      "#a\n    # b\n####### c",
      [["", "#a\n    # b\n####### c"]],
    ],
  ])("splits %s", ([, text, expected]) => {
    const sections = splitSections(text).map(({ path, body }) => [path.join("/"), body]);
    expect(sections).toEqual(expected);
  });
});

describe("long lines", () => {
  it.for([
    ["spaces", `# a${" ".repeat(1_000_000)}b`],
    ["spaces and marks", `# a${" #".repeat(500_000)} b`],
    ["marks", `# a ${"#".repeat(1_000_000)}b`],
    ["dots", `- ${"a.".repeat(500_000)}`],
    ["marks of code", "`".repeat(1_000_000)],
  ] as const)("handles a line of a million characters in linear time: %s", ([, line]) => {
    // A quadratic implementation would run into the time limit of the test.
    expect(splitSections(`${line}\nx`)).toHaveLength(1);
    expect(sectionDescription(line).length).toBeLessThanOrEqual(200);
  });
});

describe("sectionDescription", () => {
  it.for([
    ["", ""],
    ["One. Two.", "One."],
    ["- One of a list\n- Two", "One of a list"],
    ["3) Use node 24.1 here. Yes.", "Use node 24.1 here."],
    ["x".repeat(300), `${"x".repeat(199)}…`],
  ] as const)("finds the first sentence of %j", ([text, expected]) => {
    expect(sectionDescription(text)).toBe(expected);
  });
});
