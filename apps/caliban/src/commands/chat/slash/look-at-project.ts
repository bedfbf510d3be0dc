import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { errorCode, readTextFile } from "@caliban/common/node";
import { isRecord } from "../../../is-record.ts";
import type { ProjectCommand, ProjectFacts } from "./draft-instructions.ts";

const MOST_BYTES = 256 * 1024;
const MOST_COMMANDS = 12;
const MOST_DIRECTORIES = 20;

const LOOKED_AT = [
  "README.md",
  "package.json",
  "Makefile",
  "Cargo.toml",
  "pyproject.toml",
  "go.mod",
] as const;

/** Looks at a few files at the top of a workspace; runs nothing. */
export async function lookAtProject(root: string): Promise<ProjectFacts> {
  const [readme, packageJson, makefile, cargo, python, go] = await Promise.all(
    LOOKED_AT.map((name) => readText(join(root, name))),
  );
  const manifest = parsedObject(packageJson);
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
    commands: commands.slice(0, MOST_COMMANDS),
    directories: directoriesOf(root).slice(0, MOST_DIRECTORIES),
  };
}

const CARGO: readonly ProjectCommand[] = [
  { command: "cargo build", purpose: "build" },
  { command: "cargo test", purpose: "test" },
];
const PYTHON: readonly ProjectCommand[] = [{ command: "python -m pytest", purpose: "test" }];
const GO: readonly ProjectCommand[] = [{ command: "go test ./...", purpose: "test" }];

/** The usual ones first. */
const USUAL_SCRIPTS = ["start", "dev", "build", "test", "lint", "check", "format"];

function scriptCommands(
  root: string,
  manifest: Readonly<Record<string, unknown>>,
): readonly ProjectCommand[] {
  const scripts = isRecord(manifest["scripts"]) ? manifest["scripts"] : {};
  const names = Object.keys(scripts).filter((name) => /^[\w:.-]+$/.test(name));
  const usual = USUAL_SCRIPTS.filter((name) => names.includes(name));
  const others = names.filter((name) => !usual.includes(name) && !/^(?:pre|post)/.test(name));
  const runner = packageManager(root);
  return [...usual, ...others].map((name) => {
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
  const names = new Set(namesIn(root).map(({ name }) => name));
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

/** The first text that is neither a heading, a badge, a list nor markup. */
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
  return namesIn(root)
    .filter(
      (entry) => entry.isDirectory() && !/^\.|^node_modules$|^dist$|^target$/.test(entry.name),
    )
    .map(({ name }) => terminalSafeLine(name))
    .toSorted();
}

function namesIn(root: string): ReturnType<typeof entriesIn> {
  try {
    return entriesIn(root);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}

function entriesIn(
  root: string,
): readonly { readonly name: string; readonly isDirectory: () => boolean }[] {
  return readdirSync(root, { withFileTypes: true });
}

/** Of a file that is one: what a link or a device gives has no place in a draft. */
async function readText(path: string): Promise<string | undefined> {
  const file = await readTextFile(path, MOST_BYTES, { refuseLinks: true });
  return file.kind === "text" ? file.text : undefined;
}

function parsedObject(text = "{}"): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {};
  }
}
