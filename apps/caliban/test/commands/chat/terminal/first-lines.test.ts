import { join } from "node:path";
import type { Receipt } from "@caliban/memory";
import { describe, expect, it } from "vitest";
import { writeFiles } from "../../../../../../test/support/write-files.ts";
import { firstLines } from "../../../../src/commands/chat/terminal/first-lines.ts";
import { machine, type Machine } from "../../../fake-host.ts";
import { fakeConversation, type FakeInput } from "../fake-conversation.ts";

type ReceiptEntry = Receipt["entries"][number];

async function lines(
  place: Machine,
  entries: readonly ReceiptEntry[] = [],
  fake: Pick<FakeInput, "defaultModel" | "model"> = {},
): Promise<string> {
  const workspaceRoot = join(place.home, "app");
  const { open } = fakeConversation({
    model: "offline/rehearsal",
    ...fake,
    receipt: { workspaceRoot, entries: [globalFile(place), ...entries], totalTokens: 1548 },
  });
  const conversation = await open();
  const [first] = firstLines({ host: place.host, conversation });
  return first !== undefined && "text" in first ? first.text : "";
}

function globalFile({ home }: Machine): ReceiptEntry {
  const path = join(home, ".config/caliban/CLAUDE.md");
  const absent = {
    bytes: 0,
    tokens: 0,
    status: "missing",
    reason: "ABSENT",
    message: "",
  } as const;
  return { tier: "global", kind: "instructions", path, ...absent };
}

const KEPT: ReceiptEntry = {
  tier: "auto",
  kind: "index",
  path: "/x",
  bytes: 1,
  tokens: 12,
  status: "loaded",
  reason: "WHOLE",
  message: "",
};

describe("the first lines", () => {
  it("tells a new user what to try, within eighty columns", async () => {
    const shown = await lines(await machine());
    expect(shown.split("\n")).toHaveLength(5);
    expect(shown).toContain("Type /help");
    expect(Math.max(...shown.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("names a key that is set although the offline model answers", async () => {
    const here = await machine();
    const env = { HOME: here.home, GEMINI_API_KEY: "AIza-secret" };
    const shown = await lines(here.with({ env }));
    expect(shown).toContain("GEMINI_API_KEY is set. To use it: /model google/gemini-pro-latest\n");
    expect(shown).not.toContain("AIza-secret");
    expect(shown).not.toContain("No API key found");
  });

  it("names the key that answers, and what to do first", async () => {
    const here = await machine();
    const env = { HOME: here.home, ANTHROPIC_API_KEY: "sk-secret" };
    const fake = { model: "anthropic/claude-x" };
    const shown = await lines(here.with({ env }), [], fake);
    expect(shown).toContain("ANTHROPIC_API_KEY is set, so anthropic answers. To switch: /model\n");
    expect(shown).toMatch(/\/init for a first CLAUDE\.md; \/help/);
    expect(shown).not.toContain("sk-secret");
    expect(Math.max(...shown.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(await lines(here.with({ env }), [KEPT], fake)).not.toContain("/init");
  });

  it("says how much memory is loaded", async () => {
    const shown = await lines(await machine(), [KEPT]);
    expect(shown).toContain("memory: 1 loaded, 1,548 tokens (/memory)");
    expect(shown).not.toContain("Try:");
  });

  it("asks for no key when the settings name the offline model", async () => {
    const place = await machine();
    expect(await lines(place)).toContain("No API key found");
    expect(await lines(place, [], { defaultModel: "offline/rehearsal" })).not.toContain("API key");
  });

  it("names the command that imports what Claude Code has", async () => {
    const place = await machine({ ".claude/CLAUDE.md": "Be brief.\n" });
    expect(await lines(place)).toContain(
      "Claude Code has your instructions. Import with: /memory import",
    );
    const project = join(place.home, "app").replaceAll(/[^A-Za-z0-9]/g, "-");
    await writeFiles(join(place.home, ".claude/projects", project, "memory"), {
      "MEMORY.md": "",
      "a.md": "",
      "b.md": "",
    });
    expect(await lines(place)).toContain(
      "Claude Code has your instructions and 2 topics about this project. Import with: /memory import",
    );
    await writeFiles(place.home, { ".config/caliban/CLAUDE.md": "Mine.\n" });
    expect(await lines(place, [KEPT])).not.toContain("Claude Code");
  });
});
