import { basename, join } from "node:path";
import { isRecord, parseJsonRecord, terminalSafeLine } from "@caliban/common";
import { listEntries, listNames, nodeDisk, writeNewFile } from "@caliban/common/node";
import { ciCommands, packagesOf, readText, requirements, shortLine } from "./repository-facts.ts";
import type { SlashInput, SlashResult } from "./slash-command.ts";

/** AGENTS.md is not one of them: it is loaded as well, and the draft leaves out what it says. */
const INSTRUCTION_FILES = ["CLAUDE.md", ".caliban.md"];

/** `/init`: drafts a CLAUDE.md from the workspace, and writes it or asks the model to, if the user agrees. */
export async function init({ conversation, user }: SlashInput): Promise<SlashResult> {
  const { workspaceRoot } = conversation.receipt();
  const names = listNames(workspaceRoot);
  const existing = INSTRUCTION_FILES.find((name) => names.includes(name));
  if (existing !== undefined) {
    return { kind: "error", text: describeExisting(workspaceRoot, existing) };
  }
  const draft = draftInstructions(workspaceRoot);
  const answer = await askForDraft(user, draft, conversation.model());
  if (answer === "model") return { kind: "send", text: requestInstructions(names) };
  if (answer !== "write") return { kind: "text", text: "Nothing was written." };
  await writeNewFile(nodeDisk, join(workspaceRoot, "CLAUDE.md"), draft);
  const text = `Wrote CLAUDE.md in ${terminalSafeLine(workspaceRoot)}:\n\n${draft}\nTo edit it: /memory edit project. To use it in this conversation: /memory reload`;
  return { kind: "text", text };
}

const QUESTION = "Write this to CLAUDE.md?";

/** The offline model writes no files. */
async function askForDraft(
  user: SlashInput["user"],
  draft: string,
  model: string,
): Promise<string | undefined> {
  if (model.startsWith("offline/")) return (await user.confirm(QUESTION, draft)) ? "write" : "no";
  const choices = [
    { value: "write", label: "Yes, write this draft" },
    { value: "model", label: "Let the model read the project and write it" },
    { value: "no", label: "No" },
  ];
  return await user.choose(QUESTION, choices, draft);
}

/** A file of the user is never overwritten; the lines that a new draft would have besides may help. */
function describeExisting(root: string, name: string): string {
  const known = readText(root, name);
  const added = draftInstructions(root)
    .split("\n")
    .filter((line) => line.startsWith("- `") && !isMentioned(line.slice(2), known));
  const edit = `${name} already exists and was not changed. Edit it with: /memory edit project`;
  if (added.length === 0) return edit;
  return `${edit}\nIt does not mention:\n${added.map((line) => `+ ${line}`).join("\n")}`;
}

/** Files worth reading first. Only names that are known, because those of a repository may say anything. */
const SOURCES = [
  "README.md",
  "AGENTS.md",
  "CONTRIBUTING.md",
  "package.json",
  "pyproject.toml",
  "Cargo.toml",
  "go.mod",
  "Makefile",
  ".github",
];

/** Asks the model to write the file. The question about its call shows every line before anything is written. */
function requestInstructions(names: readonly string[]): string {
  const found = SOURCES.filter((name) => names.includes(name)).map((name) =>
    name === ".github" ? ".github/workflows" : name,
  );
  const read = found.length === 0 ? "Look at the files" : `Read ${found.join(", ")}`;
  return `Write CLAUDE.md in the root of this workspace: instructions for a coding agent that has never seen the project. ${read} first, then as much of the source as you need.
Include only what such an agent cannot guess: the commands that build, test and lint, exactly as scripts and CI run them; the layout where it is not obvious; conventions that the code really follows; pitfalls. Leave out what AGENTS.md says, because it is loaded as well. At most 60 lines. If CLAUDE.md exists by then, leave it alone.`;
}

const MAX_COMMANDS = 12;
const MAX_DIRECTORIES = 20;
const IGNORED_DIRECTORY = /^\.|^node_modules$|^dist$|^target$/;

/** A first CLAUDE.md: what a few files at the top of a workspace say, and comments for what only people know. */
export function draftInstructions(root: string): string {
  const entries = listEntries(root);
  const names = entries.map(({ name }) => name);
  const readme = readText(root, "README.md");
  const manifest = parseJsonRecord(readText(root, "package.json")) ?? {};
  const name = typeof manifest["name"] === "string" ? manifest["name"] : basename(root);
  const agents = readText(root, "AGENTS.md");
  const commands = [
    ...scriptCommands(manifest, names),
    ...makeTargets(readText(root, "Makefile")).map((target) => `\`make ${target}\``),
    ...names.flatMap((file) => TOOL_COMMANDS[file] ?? []),
  ]
    .filter((command) => !isMentioned(command, agents))
    .slice(0, MAX_COMMANDS);
  const checks = ciCommands(root)
    .map((command) => `\`${command}\``)
    .filter((command) => !isMentioned(command, agents));
  const needs = requirements(root);
  const packages = packagesOf(root);
  const directories = entries
    .filter((entry) => entry.isDirectory() && !IGNORED_DIRECTORY.test(entry.name))
    .map((entry) => `\`${terminalSafeLine(entry.name)}/\``)
    .toSorted()
    .slice(0, MAX_DIRECTORIES);
  const sections = [
    `# ${shortLine(/^# +(.+?) *#*$/m.exec(readme)?.[1] ?? name)}`,
    firstParagraph(readme) ?? "<!-- One sentence: what this project is for. -->",
    `## Commands\n\n${bullets(commands) || "<!-- How to build, test and run it. -->"}`,
    ...section("CI runs", checks),
    ...section("Requirements", needs),
    ...section("Layout", directories),
    ...section("Packages", packages),
    ...(agents === "" ? [] : [SEE_AGENTS]),
    "## Conventions\n\n<!-- Rules that come up again and again in reviews. Comments like this one are not sent to the model. -->",
  ];
  return `${sections.join("\n\n")}\n`;
}

const SEE_AGENTS =
  "<!-- AGENTS.md is loaded as well. This file needs only what it does not say. -->";

/** Nothing without lines. */
function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}\n\n${bullets(lines)}`];
}

/** Whether another file names the command, given in the first pair of backticks. */
function isMentioned(command: string, text: string): boolean {
  const [, name = ""] = /^`([^`]+)`/.exec(command) ?? [];
  return name !== "" && text.includes(name);
}

const TOOL_COMMANDS: Readonly<Record<string, readonly string[]>> = {
  "Cargo.toml": ["`cargo build`", "`cargo test`"],
  "pyproject.toml": ["`python -m pytest`"],
  "go.mod": ["`go test ./...`"],
};

const RUNNERS: Readonly<Record<string, string>> = {
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
};

/** These come first. */
const COMMON_SCRIPTS = ["start", "dev", "build", "test", "lint", "check", "format"];

function scriptCommands(
  { scripts }: Readonly<Record<string, unknown>>,
  files: readonly string[],
): readonly string[] {
  if (!isRecord(scripts)) return [];
  const runner = files.flatMap((file) => RUNNERS[file] ?? [])[0] ?? "npm";
  const names = Object.keys(scripts).filter(
    (name) => /^[\w:.-]+$/.test(name) && !/^(?:pre|post)/.test(name),
  );
  const common = COMMON_SCRIPTS.filter((name) => names.includes(name));
  return [...new Set([...common, ...names])].map(
    (name) => `\`${runner} run ${name}\`: runs \`${shortLine(String(scripts[name]))}\``,
  );
}

function makeTargets(makefile: string): readonly string[] {
  const targets = makefile.matchAll(/^([A-Za-z][\w-]*):(?!=)/gm);
  return [...new Set(Array.from(targets, ([, target = ""]) => target))];
}

/** The first block that is not a heading, a badge, a list or markup. */
function firstParagraph(readme: string): string | undefined {
  const paragraph = readme
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .find((block) => /^[\p{L}\p{N}"'`*_]/u.test(block) && !block.startsWith("* "));
  return paragraph === undefined ? undefined : shortLine(paragraph);
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}
