import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Annotate } from "../../src/loop/annotate-result.ts";
import { createToolRunner, type ToolRunnerInput } from "../../src/loop/tool-runner.ts";
import type { Tool, ToolResult } from "../../src/tool.ts";
import { manualClock, settle } from "../support/manual-clock.ts";

function tool(name: string, run: () => Promise<ToolResult>): Tool {
  return {
    name,
    description: "",
    permission: `fs.${name.toLowerCase()}`,
    isReadOnly: true,
    inputSchema: {},
    subjectOf: () => `${name}.txt`,
    run,
  };
}

const works = tool("Works", async () => ({ text: "lines", data: { lines: 1 } }));
const fails = tool("Fails", async () => ({ text: "Exit code 1.", isError: true }));
const writes: Tool = { ...tool("Writes", async () => ({ text: "written" })), isReadOnly: false };

function runner(
  annotate: Annotate,
  given: Partial<ToolRunnerInput> = {},
): ReturnType<typeof createToolRunner> {
  return createToolRunner({ tools: [works, fails, writes], annotate, ...given });
}

describe("a note on a result", () => {
  it("a note is appended after a blank line and changes nothing else", async () => {
    const { run } = runner(async ({ subject }) => `note about ${subject}`);
    expect(await run({ name: "Works", input: {} })).toEqual({
      text: "lines\n\nnote about Works.txt",
      data: { lines: 1 },
    });
    expect(await run({ name: "Fails", input: {} })).toEqual({
      text: "Exit code 1.\n\nnote about Fails.txt",
      isError: true,
    });
  });

  it("a note is not requested for a call that was denied, is unknown or was cancelled", async () => {
    const seen: string[] = [];
    const { run } = runner(async ({ tool: { name } }) => {
      seen.push(name);
      return "note";
    });
    const signal = AbortSignal.abort();
    const results = [
      await run({ name: "Writes", input: {} }),
      await run({ name: "Missing", input: {} }),
      await run({ name: "Works", input: {}, signal }),
    ];
    expect(seen).toEqual([]);
    for (const { text } of results) expect(text).not.toContain("note");
  });

  it("sees a masked result, and is masked itself", async () => {
    const tell = tool("Tell", async () => ({ text: "a secret" }));
    const { run } = runner(async ({ result }) => `${result.text}, also a secret`, {
      tools: [tell],
      mask: (text) => text.replaceAll("secret", "[masked]"),
    });
    const { text } = await run({ name: "Tell", input: {} });
    expect(text).toBe("a [masked]\n\na [masked], also a [masked]");
  });

  it.each<[string, Annotate]>([
    ["rejects", async () => await Promise.reject(new Error("failed"))],
    [
      "throws",
      () => {
        throw new Error("failed");
      },
    ],
    ["returns nothing", async () => undefined],
    ["returns blank text", async () => " \n"],
  ])("leaves the result as it is if the hook %s", async (_case, annotate) => {
    const { run } = runner(annotate);
    expect(await run({ name: "Works", input: {} })).toEqual(await works.run({}, CONTEXT));
  });

  it("a note is left out when it takes longer than the limit", async () => {
    const clock = manualClock();
    const { run } = runner(async () => await new Promise<never>(() => undefined), {
      annotateLimits: { clock, maxMs: 100 },
    });
    const running = run({ name: "Works", input: {} });
    await settle();
    clock.pass(100);
    expect((await running).text).toBe("lines");
  });

  it("a note is left out when the user interrupts", async () => {
    const controller = new AbortController();
    const { run } = runner(async () => {
      controller.abort();
      return await new Promise<never>(() => undefined);
    });
    const { text } = await run({ name: "Works", input: {}, signal: controller.signal });
    expect(text).toBe("lines");
  });

  it("a note does not keep the next call with the same key waiting", async () => {
    const log: string[] = [];
    let release: (note: string) => void = () => undefined;
    const noted = new Promise<string>((resolve) => (release = resolve));
    const ordered: Tool = {
      ...tool("Ordered", async () => {
        log.push("ran");
        return { text: "" };
      }),
      orderKey: () => "key",
    };
    const { run } = runner(async () => await noted, { tools: [ordered] });
    const both = [run({ name: "Ordered", input: {} }), run({ name: "Ordered", input: {} })];
    await settle();
    expect(log).toEqual(["ran", "ran"]);
    release("note");
    await Promise.all(both);
  });

  it("never changes more than the end of the text, whatever calls run in parallel", async () => {
    const outcome = fc.record({
      text: fc.constantFrom("", "a", "a\n"),
      isError: fc.boolean(),
      note: fc.constantFrom(undefined, "", "note", "error"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(outcome, { maxLength: 5 }), async (outcomes) => {
        const tools = outcomes.map(({ text, isError }, index) =>
          tool(`T${index}`, async () => ({ text, isError, data: { index } })),
        );
        const { run } = createToolRunner({
          tools,
          annotate: async ({ tool: { name } }) => {
            const note = outcomes[Number(name.slice(1))]?.note;
            if (note === "error") throw new Error(note);
            return note;
          },
        });
        const results = await Promise.all(tools.map(({ name }) => run({ name, input: {} })));
        for (const [index, { text, isError, note }] of outcomes.entries()) {
          const end = note === "note" ? "\n\nnote" : "";
          expect(results[index]).toEqual({ text: `${text}${end}`, isError, data: { index } });
        }
      }),
    );
  });
});

const CONTEXT = { usedTools: [], notify: () => undefined };
