import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../scripts/workspace.mjs";

interface Step {
  readonly file: string;
  readonly name: string;
}

/** From the command line to the effect, as docs/architecture.md lists it. */
interface Flow {
  readonly title: string;
  readonly steps: readonly Step[];
}

const MAX_STEPS = 15;

const flows = readFlows(readFileSync(join(root, "docs/architecture.md"), "utf8"));

function readFlows(page: string): readonly Flow[] {
  const [, section = ""] = /^## Main flows\n([\s\S]*?)(?=^## )/m.exec(page) ?? [];
  return section
    .split(/^### /m)
    .slice(1)
    .map((text) => ({
      title: text.slice(0, text.indexOf("\n")),
      steps: [...text.matchAll(/^\d+\. `([^`]+)`: `([^`]+)`/gm)].map(
        ([, file = "", name = ""]) => ({ file, name }),
      ),
    }));
}

/** The text of a top-level function, method or constant; `undefined` where the file has none of that name. */
function declaration({ file, name }: Step): string | undefined {
  const path = join(root, file);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const start = new RegExp(
    String.raw`^(?:export )?(?:async )?(?:function\*? |const )${name}\b|^ {2}const ${name} = |^ {2,4}(?:async )?${name}(?:\(|: async \(|: \()`,
    "m",
  ).exec(text);
  if (start === null) return undefined;
  const rest = text.slice(start.index);
  const [line = ""] = rest.split("\n");
  if (/[,;]$/.test(line)) return line;
  const indent = /^ */.exec(start[0])?.[0] ?? "";
  const end = new RegExp(String.raw`^${indent}\}.*$`, "m").exec(rest);
  return rest.slice(0, end === null ? undefined : end.index + end[0].length);
}

describe("main flows of docs/architecture.md", () => {
  it("cover the turns, the prompt, topics, search, MCP and the pipeline", () => {
    expect(flows.length).toBeGreaterThanOrEqual(8);
  });

  it.for(flows)("$title takes at most 15 steps", ({ steps }) => {
    expect(steps.length).toBeGreaterThan(2);
    expect(steps.length).toBeLessThanOrEqual(MAX_STEPS);
  });

  it.for(flows)("$title has steps that exist and that an earlier step references", ({ steps }) => {
    const texts = steps.map(declaration);
    const problems = steps.flatMap(({ file, name }, index) => {
      if (texts[index] === undefined) return [`${file}: ${name} does not exist`];
      const reference = new RegExp(String.raw`\b${name}\b`);
      const isReferenced = texts.slice(0, index).some((text = "") => reference.test(text));
      return index === 0 || isReferenced ? [] : [`no earlier step references ${file}: ${name}`];
    });
    expect(problems).toEqual([]);
  });
});
