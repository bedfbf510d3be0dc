import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { isRecord, parseJsonRecord, terminalSafeLine } from "@caliban/common";
import { errorCode, nodeDisk, readTextFile, writeNewFile } from "@caliban/common/node";
import type { SlashInput, SlashResult } from "./slash-command.ts";

const INSTRUCTION_FILES = ["CLAUDE.md", "AGENTS.md", ".caliban.md"];

/** `/init`: drafts a CLAUDE.md from the workspace without a model, and writes it if the user agrees. */
export async function init({ conversation, user }: SlashInput): Promise<SlashResult> {
  const { workspaceRoot } = conversation.receipt();
  const existing = INSTRUCTION_FILES.find((name) => existsSync(join(workspaceRoot, name)));
  if (existing !== undefined) {
    return {
      kind: "error",
      text: `${existing} already exists. Edit it with: /memory edit project`,
    };
  }
  const draft = draftInstructions(await inspectProject(workspaceRoot));
  if (!(await user.confirm("Write this to CLAUDE.md?", draft))) {
    return { kind: "text", text: "Nothing was written." };
  }
  await writeNewFile(nodeDisk, join(workspaceRoot, "CLAUDE.md"), draft);
  const text = `Wrote CLAUDE.md in ${terminalSafeLine(workspaceRoot)}.\nTo edit it: /memory edit project. To use it in this conversation: /memory reload`;
  return { kind: "text", text };
}

/** What the workspace reveals about a project. */
interface ProjectFacts {
  readonly name: string;
  /** The first paragraph of the README. */
  readonly about: string | undefined;
  /** In the order in which they are shown. */
  readonly commands: readonly ProjectCommand[];
  /** The top-level directories. */
  readonly directories: readonly string[];
}

interface ProjectCommand {
  readonly command: string;
  readonly purpose: string;
}

/** A first CLAUDE.md: the known facts, and placeholders for what only people know. */
function draftInstructions({ name, about, commands, directories }: ProjectFacts): string {
  const sections = [
    `# ${name}`,
    about ?? "<!-- One sentence: what this project is for. -->",
    commands.length === 0
      ? "## Commands\n\n<!-- How to build, test and run it. -->"
      : `## Commands\n\n${commands.map(commandLine).join("\n")}`,
    ...(directories.length === 0
      ? []
      : [`## Layout\n\n${directories.map((directory) => `- \`${directory}/\``).join("\n")}`]),
    "## Conventions\n\n<!-- Rules that come up again and again in reviews. Comments like this one are not sent to the model. -->",
  ];
  return `${sections.join("\n\n")}\n`;
}

function commandLine({ command, purpose }: ProjectCommand): string {
  return `- \`${command}\`: ${purpose}`;
}

const MAX_BYTES = 256 * 1024;
const MAX_COMMANDS = 12;
const MAX_DIRECTORIES = 20;

const INSPECTED_FILES = [
  "README.md",
  "package.json",
  "Makefile",
  "Cargo.toml",
  "pyproject.toml",
  "go.mod",
] as const;

/** Reads a few files at the top of a workspace; runs nothing. */
export async function inspectProject(root: string): Promise<ProjectFacts> {
  const [readme, packageJson, makefile, cargo, python, go] = await Promise.all(
    INSPECTED_FILES.map((name) => readText(join(root, name))),
  );
  const manifest = parseJsonRecord(packageJson ?? "") ?? {};
  const commands = [
    ...scriptCommands(root, manifest),
    ...makeCommands(makefile),
    ...(cargo === undefined ? [] : CARGO),
    ...(python === undefined ? [] : PYTHON),
    ...(go === undefined ? [] : GO),
  ];
  const name = manifest["name"];
  return {
    name: headingOf(readme) ?? (typeof name === "string" ? terminalSafeLine(name) : basename(root)),
    about: firstParagraph(readme),
    commands: commands.slice(0, MAX_COMMANDS),
    directories: directoriesOf(root).slice(0, MAX_DIRECTORIES),
  };
}

const CARGO: readonly ProjectCommand[] = [
  { command: "cargo build", purpose: "build" },
  { command: "cargo test", purpose: "test" },
];
const PYTHON: readonly ProjectCommand[] = [{ command: "python -m pytest", purpose: "test" }];
const GO: readonly ProjectCommand[] = [{ command: "go test ./...", purpose: "test" }];

/** The common scripts come first. */
const COMMON_SCRIPTS = ["start", "dev", "build", "test", "lint", "check", "format"];

function scriptCommands(
  root: string,
  manifest: Readonly<Record<string, unknown>>,
): readonly ProjectCommand[] {
  const scripts = isRecord(manifest["scripts"]) ? manifest["scripts"] : {};
  const names = Object.keys(scripts).filter((name) => /^[\w:.-]+$/.test(name));
  const common = COMMON_SCRIPTS.filter((name) => names.includes(name));
  const others = names.filter((name) => !common.includes(name) && !/^(?:pre|post)/.test(name));
  const runner = packageManager(root);
  return [...common, ...others].map((name) => {
    const script = scripts[name];
    const purpose = typeof script === "string" ? `runs \`${oneLine(script)}\`` : name;
    return { command: `${runner} run ${name}`, purpose };
  });
}

const LOCK_FILES: Readonly<Record<string, string>> = {
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
};

function packageManager(root: string): string {
  const names = new Set(entriesOf(root).map(({ name }) => name));
  const lock = Object.keys(LOCK_FILES).find((name) => names.has(name));
  return (lock && LOCK_FILES[lock]) ?? "npm";
}

function makeCommands(makefile = ""): readonly ProjectCommand[] {
  const targets = [...makefile.matchAll(/^([A-Za-z][\w-]*):(?!=)/gm)].map(
    ([, target = ""]) => target,
  );
  return [...new Set(targets)].map((target) => ({ command: `make ${target}`, purpose: target }));
}

function headingOf(readme = ""): string | undefined {
  const heading = /^# +(.+?) *#*$/m.exec(readme)?.[1];
  return heading === undefined ? undefined : oneLine(heading);
}

/** The first block that is not a heading, a badge, a list or markup. */
function firstParagraph(readme = ""): string | undefined {
  const paragraph = readme
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .find((block) => /^[\p{L}\p{N}"'`*_]/u.test(block) && !block.startsWith("* "));
  return paragraph === undefined ? undefined : oneLine(paragraph);
}

function oneLine(text: string): string {
  const line = terminalSafeLine(text.replaceAll(/\s+/g, " ").trim());
  return line.length <= 300 ? line : `${line.slice(0, 299)}…`;
}

function directoriesOf(root: string): readonly string[] {
  return entriesOf(root)
    .filter(
      (entry) => entry.isDirectory() && !/^\.|^node_modules$|^dist$|^target$/.test(entry.name),
    )
    .map(({ name }) => terminalSafeLine(name))
    .toSorted();
}

interface DirectoryEntry {
  readonly name: string;
  readonly isDirectory: () => boolean;
}

function entriesOf(root: string): readonly DirectoryEntry[] {
  try {
    return readdirSync(root, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}

/** Reads regular files only: the content of a link or a device has no place in a draft. */
async function readText(path: string): Promise<string | undefined> {
  const file = readTextFile(path, MAX_BYTES, { refuseLinks: true });
  return file.kind === "text" ? file.text : undefined;
}
