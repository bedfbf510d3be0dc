import { join } from "node:path";
import { isRecord, parseJsonRecord, terminalSafeLine } from "@caliban/common";
import { listEntries, listNames, readTextFile } from "@caliban/common/node";

const MAX_BYTES = 256 * 1024;
const MAX_WORKFLOWS = 10;
const MAX_CI_COMMANDS = 8;
const MAX_PACKAGES = 30;

/** Reads regular files only: the content of a link or a device has no place in a draft. */
export function readText(root: string, ...names: readonly string[]): string {
  const file = readTextFile(join(root, ...names), MAX_BYTES, { refuseLinks: true });
  return file.kind === "text" ? file.text : "";
}

/** A text from the repository on one line that is not too long. */
export function shortLine(text: string): string {
  const line = terminalSafeLine(text.replaceAll(/\s+/g, " ").trim());
  return line.length <= 300 ? line : `${line.slice(0, 299)}…`;
}

/** What the project needs to be installed, as its manifests say. */
export function requirements(root: string): readonly string[] {
  const manifest = parseJsonRecord(readText(root, "package.json")) ?? {};
  const engines = isRecord(manifest["engines"]) ? manifest["engines"] : {};
  const node = textOf(engines["node"]) ?? readText(root, ".nvmrc").trim();
  const rows = [
    ["Node.js", node],
    ["package manager", textOf(manifest["packageManager"])?.replace(/\+.*$/, "")],
    ["Python", /^requires-python\s*=\s*"([^"\n]+)"/m.exec(readText(root, "pyproject.toml"))?.[1]],
    ["Go", /^go (\d[\w.]*)$/m.exec(readText(root, "go.mod"))?.[1]],
    ["Rust", /^rust-version\s*=\s*"([^"\n]+)"/m.exec(readText(root, "Cargo.toml"))?.[1]],
  ] as const;
  return rows.flatMap(([name, version = ""]) =>
    version === "" ? [] : [`${name} \`${shortLine(version)}\``],
  );
}

/** The commands that GitHub's CI runs, without those that only prepare it. */
export function ciCommands(root: string): readonly string[] {
  const workflows = listNames(join(root, ".github", "workflows"))
    .filter((name) => /\.ya?ml$/.test(name))
    .toSorted()
    .slice(0, MAX_WORKFLOWS);
  const commands = workflows.flatMap((name) =>
    Array.from(
      readText(root, ".github", "workflows", name).matchAll(RUN_LINE),
      ([, command = ""]) => shortLine(command.replace(/^(["'])(.*)\1$/, "$2")),
    ),
  );
  const useful = commands.filter((command) => !PREPARATION.test(command));
  return [...new Set(useful)].slice(0, MAX_CI_COMMANDS);
}

/** A step on one line. Longer scripts are about the CI itself more often than about the project. */
const RUN_LINE = /^\s*(?:- )?run:[ \t]+([^|>\s#][^\n]*)$/gm;
const PREPARATION =
  /\$\{\{|^(?:echo|sudo|apt|apt-get|brew|corepack|git|mkdir|cd)\b|\b(?:npm ci|(?:npm|pnpm|yarn|bun|pip|poetry|uv) (?:install|sync))\b/;

/** The packages of a repository with several, with their descriptions. */
export function packagesOf(root: string): readonly string[] {
  const found = ["packages", "apps", "crates", "services"].flatMap((parent) =>
    listEntries(join(root, parent))
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
      .flatMap(({ name }) => describePackage(root, parent, name) ?? []),
  );
  return found.toSorted().slice(0, MAX_PACKAGES);
}

/** `undefined` for a directory without a manifest. */
function describePackage(root: string, parent: string, name: string): string | undefined {
  const json = readText(root, parent, name, "package.json");
  const cargo = readText(root, parent, name, "Cargo.toml");
  if (json === "" && cargo === "") return undefined;
  const description =
    textOf(parseJsonRecord(json)?.["description"]) ??
    /^description\s*=\s*"([^"\n]+)"/m.exec(cargo)?.[1];
  const path = `\`${terminalSafeLine(`${parent}/${name}`)}/\``;
  return description === undefined ? path : `${path}: ${shortLine(description)}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
