import { describe, expect, it } from "vitest";
import { renderPermission } from "../../src/questions/ask-permission.ts";
import { plain, theme } from "../plain-lines.ts";

const look = { theme, width: 60, workspaceRoot: "/w" };

describe("the permission question", () => {
  const question = { permission: "shell", reason: "It asks.", alwaysScope: "this command" };

  it("names the file that is really affected, and the name that the model used", () => {
    const input = { file_path: "notes.md", content: "x" };
    const linked = { ...question, tool: "Write", input, subject: "sub/deploy.sh" };
    expect(plain(renderPermission(linked, look).title).join(" ")).toContain(
      "Write sub/deploy.sh (requested as notes.md)?",
    );
    const same = { ...linked, subject: "notes.md" };
    expect(plain(renderPermission(same, look).title).join(" ")).toContain("Write notes.md?");
  });

  it("contains the complete command, however long it is", () => {
    const command = [`echo ${"x".repeat(300)}`, ...Array.from({ length: 50 }, () => "ls")].join(
      "\n",
    );
    const { details } = renderPermission({ ...question, tool: "Bash", input: { command } }, look);
    const text = plain(details).map((line) => line.replace(/^ {2}│ /, ""));
    expect(text.join("").replaceAll(" ", "")).toBe(command.replaceAll(/[ \n]/g, ""));
  });

  it("shows an address as it would be requested", () => {
    const call = { ...question, tool: "WebFetch", input: { url: "https://example.com/a?b=1" } };
    expect(plain(renderPermission(call, look).details)).toEqual(["  │ https://example.com/a?b=1"]);
  });

  it("shows every field of other tools, and no text that looks like another field", () => {
    const input = {
      pattern: "src/**/*.ts",
      path: "a\npattern: safe",
      "x\ny": 1,
      options: { hidden: true },
    };
    const call = { ...question, tool: "Glob", input };
    expect(plain(renderPermission(call, look).details)).toEqual([
      "  │ pattern: src/**/*.ts",
      "  │ path:",
      "  │     a",
      "  │     pattern: safe",
      String.raw`  │ "x\ny": 1`,
      "  │ options:",
      "  │     {",
      `  │       "hidden": true`,
      "  │     }",
    ]);
  });

  it("compares the new text with the existing file, and wraps long lines", () => {
    const input = { file_path: "/w/a", content: "one\nthree\n" };
    const asked = { ...question, tool: "Write", input };
    const over = plain(renderPermission(asked, { ...look, previous: "one\ntwo\n" }).details);
    expect(over).toEqual(["  +1 −1", "  1   one", "  2 - two", "  2 + three"]);
    const fresh = plain(renderPermission(asked, look).details);
    expect(fresh[0]).toBe("  new file, +2");
    const content = `${"x".repeat(200)}END`;
    const long = { ...asked, input: { ...input, content } };
    expect(plain(renderPermission(long, look).details).join("\n")).toContain("END");
    const edit = { file_path: "/w/a", old_string: "a", new_string: "b", replace_all: true };
    const everywhere = renderPermission({ ...question, tool: "Edit", input: edit }, look);
    expect(plain(everywhere.details)[0]).toBe("  every occurrence, +1 −1");
  });

  it("shows whole lines with their numbers for an edit within a line", () => {
    const input = { file_path: "/w/a", old_string: "1", new_string: "2" };
    const asked = { ...question, tool: "Edit", input };
    const previous = "const a = 0;\r\nconst b = 1;\r\n";
    expect(plain(renderPermission(asked, { ...look, previous }).details)).toEqual([
      "  +1 −1",
      "  1   const a = 0;",
      "  2 - const b = 1;",
      "  2 + const b = 2;",
    ]);
  });
});
