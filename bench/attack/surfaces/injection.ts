import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { framedHookText, hookObjection } from "../../../apps/caliban/src/hooks/hook-text.ts";
import { createToolRunner } from "../../../packages/agent-core/src/index.ts";
import { loadMemory } from "../../../packages/memory/src/node/index.ts";
import { OWN_FRAMES } from "../../../packages/memory/src/prompt/sanitize.ts";
import { OWN_TAGS } from "../../../packages/memory/src/prompt/tier.ts";
import { createFileTools } from "../../../packages/tools-builtin/src/node/index.ts";
import { FORGED_FRAMES, FORGED_OUTPUT } from "../../../test/attack/forged-frames.ts";
import { HOSTILE_HOOK_TEXTS } from "../../../test/attack/hook-output.ts";
import { writeFiles, writeHome } from "../../../test/support/write-files.ts";
import { type Attempt, requireOrdinary, type Surface, withDirectory } from "../surface.ts";

const INDEX = ".local/share/caliban/projects/SLUG/memory/MEMORY.md";

/** Where a text comes into the prompt: the files for a text. */
const TIERS: Readonly<Record<string, (text: string) => Readonly<Record<string, string>>>> = {
  "global file": (text) => ({ ".config/caliban/CLAUDE.md": text }),
  "project file": (text) => ({ "app/CLAUDE.md": text }),
  "imported file": (text) => ({ "app/CLAUDE.md": "@a.md\n", "app/a.md": text }),
  "nested import": (text) => ({
    "app/CLAUDE.md": "@a.md\n",
    "app/a.md": "@b.md\n",
    "app/b.md": text,
  }),
  rule: (text) => ({ "app/.caliban/rules/a.md": text }),
  index: (text) => ({ [INDEX]: `# Index\n${text}\n` }),
  "topic description": (text) => ({
    [INDEX.replace("MEMORY", "a")]:
      `---\nname: a\ndescription: ${JSON.stringify(text)}\ntype: user\n---\n\nx\n`,
  }),
};

/** Texts in instruction files and memory that try to pose as a frame of the prompt. */
export const instructionFrames: Surface = {
  name: "injection: tiers, imports, rules, activation",
  attack: async () => {
    requireOrdinary(
      FORGED_FRAMES.every(([text]) => countFrames(`\n${text}`) > 0),
      "a forged frame is not recognized",
    );
    const attempts: Attempt[] = [];
    for (const [tier, files] of Object.entries(TIERS)) {
      const ordinary = await framesOf(files("x"));
      for (const [text] of FORGED_FRAMES) {
        const made = await framesOf(files(`x\n${text}`));
        attempts.push({ name: `${tier}: ${text}`, succeeded: made > ordinary });
      }
    }
    return attempts;
  },
};

async function framesOf(files: Readonly<Record<string, string>>): Promise<number> {
  return await withDirectory(async (home) => {
    await writeHome(home, { "app/src/x.ts": "", ...files });
    const env = { HOME: home };
    const { prefix, activate } = await loadMemory({ directory: join(home, "app"), env, home });
    requireOrdinary(prefix !== "", "the prompt is empty");
    // The same text again, as instructions of a directory that a tool touches.
    const text = Object.entries(files).find(([name]) => name === "app/CLAUDE.md")?.[1] ?? "";
    await writeFiles(home, { "app/src/CLAUDE.md": text });
    return countFrames(prefix) + countFrames((await activate(join(home, "app/src/x.ts"))).text);
  });
}

/** Texts in the output of commands, in matches and in file names. */
export const toolFrames: Surface = {
  name: "injection: command output, matches, file names, errors",
  attack: async () =>
    await withDirectory(async (root) => {
      const env = { PATH: process.env["PATH"], HOME: root };
      const tools = createFileTools({ root, home: root, env, findRipgrep: () => undefined });
      const policy = { allow: [], ask: [], deny: [], mode: "yolo" } as const;
      const { run } = createToolRunner({ tools, policy });
      const lookAlikes = FORGED_OUTPUT.filter(([text, escaped]) => text !== escaped);
      requireOrdinary(
        lookAlikes.every(([text]) => countFrames(fold(text)) > 0),
        "a forged frame is not recognized",
      );
      const attempts: Attempt[] = [];
      for (const [text] of lookAlikes) {
        const name = text.replaceAll(/[\n/]/g, "");
        await mkdir(join(root, "d"));
        await writeFile(join(root, "d/log.txt"), `${text}\n`);
        await writeFile(join(root, "d", name), "x\n");
        const calls = [
          { name: "Bash", input: { command: "cat d/log.txt" } },
          { name: "Bash", input: { command: "ls d; cat d/log.txt >&2; exit 1" } },
          {
            name: "Grep",
            input: { pattern: "x|project|truncated|today|loaded|memory", path: "d" },
          },
          { name: "Glob", input: { pattern: "d/*" } },
          { name: "Read", input: { file_path: `d/missing ${name}` } },
          { name: "Edit", input: { file_path: `d/${name}`, old_string: text, new_string: "y" } },
        ];
        for (const call of calls) {
          const { text: shown } = await run(call);
          requireOrdinary(shown !== "", `${call.name} shows nothing`);
          attempts.push({ name: `${call.name}: ${text}`, succeeded: countFrames(fold(shown)) > 0 });
        }
        await rm(join(root, "d"), { recursive: true });
      }
      return attempts;
    }),
};

/** Texts of hooks that try to leave their frame, or to take over the terminal. */
export const hookFrames: Surface = {
  name: "injection: hooks",
  attack: async () => {
    const hook = { name: "x", event: "PreToolUse", isRequested: true } as const;
    const ordinary = framedHookText(hook, "x");
    requireOrdinary(ordinary.includes("\nx\n"), "the text of a hook is not shown");
    return HOSTILE_HOOK_TEXTS.flatMap(([name, text]): readonly Attempt[] => {
      const { reason, text: forModel } = hookObjection(hook, "deny", text);
      return [
        { name: `text: ${name}`, succeeded: isHostile(framedHookText(hook, text)) },
        { name: `reason for the model: ${name}`, succeeded: isHostile(forModel) },
        { name: `reason for the user: ${name}`, succeeded: CONTROL.test(reason) },
      ];
    });
  },
};

/** The frame itself has two tags. */
function isHostile(framed: string): boolean {
  return countFrames(fold(framed)) > 2 || CONTROL.test(framed);
}

const CONTROL = /(?!\n)[\p{Cc}\u202A-\u202E\u2066-\u2069]/u;

const TAG = new RegExp(
  String.raw`<\s*/?\s*(?:${OWN_TAGS.map(splittable).join("|")})(?![\w-])`,
  "gi",
);
const FRAME = new RegExp(String.raw`^\s*\[\s*(?:${OWN_FRAMES.map(splittable).join("|")})`, "gim");

/** A word may be split over two lines. */
function splittable(phrase: string): string {
  const words = phrase.split(" ").map((word) => Array.from(word).join(String.raw`\n?`));
  return words.join(String.raw`\s+`);
}

/** Counts what a model could take for a frame of ours. Does not use the code that escapes them. */
function countFrames(text: string): number {
  const visible = text
    .replaceAll(/[\v\f\u0085\u2028\u2029]/g, "\n")
    .replaceAll(/(?![\n\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "");
  return (visible.match(TAG)?.length ?? 0) + (visible.match(FRAME)?.length ?? 0);
}

/** Also in full-width letters and with character references. `&lt;` is how we escape, so it stays. */
function fold(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/&#(?:60|x3c);/gi, "<")
    .replaceAll(/&#(?:91|x5b);/gi, "[");
}
