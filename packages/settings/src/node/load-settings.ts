import {
  type Environment,
  joinPath,
  pathStyleOf,
  requireArguments,
  userDirectories,
} from "@caliban/common";
import { readTextFile, type TextFile } from "@caliban/common/node";
import type { CheckContext } from "../check/check-value.ts";
import { type SettingsDiagnostic, SettingsError } from "../diagnostic.ts";
import { locateDiagnostics } from "../file/locate-diagnostics.ts";
import type { KeyDiagnostic, ParsedFile } from "../file/parse-file.ts";
import type { SettingValues } from "../keys/setting-keys.ts";
import { readEnvironment } from "../resolve/read-environment.ts";
import type { RequestedHook, RequestedServer } from "../resolve/requests.ts";
import { type EffectiveSetting, resolveSettings } from "../resolve/resolve.ts";

export interface LoadSettingsInput {
  readonly env: Environment;
  readonly platform: string;
  readonly home: string | undefined;
  readonly workspaceRoot: string;
}

export interface LoadedSettings {
  readonly values: SettingValues;
  /** The same without the repository's files. */
  readonly trusted: SettingValues;
  readonly effective: readonly EffectiveSetting[];
  /** Servers that the repository requests. They are not settings: each needs the user's approval. */
  readonly requestedServers: readonly RequestedServer[];
  /** The same for hooks. */
  readonly requestedHooks: readonly RequestedHook[];
  /** Problems that did not stop the load. All of them should be shown to the user. */
  readonly warnings: readonly SettingsDiagnostic[];
}

/**
 * Loads the settings of a workspace: the user's file, environment variables, and the files of the repository, which can
 * only tighten.
 *
 * @example
 * import { loadSettings } from "@caliban/settings/node";
 *
 * const { values, warnings } = await loadSettings({
 *   env: { CALIBAN_DISABLE_AUTO_MEMORY: "1" },
 *   platform: process.platform,
 *   home: undefined,
 *   workspaceRoot: process.cwd(),
 * });
 * console.log(values["memory.auto"], warnings); // false []
 *
 * @throws SettingsError when the user's file or a variable is invalid; a repository's file never throws
 */
export async function loadSettings(input: LoadSettingsInput): Promise<LoadedSettings> {
  requireArguments("loadSettings", input, ["env", "platform", "workspaceRoot"]);
  const context = { style: pathStyleOf(input.platform), home: input.home };
  const [user, ...projects] = await Promise.all(
    [userSettingsPath(input), ...projectSettingsPaths(input)].map((path) =>
      readSettingsFile(path, context),
    ),
  );
  const environment = readEnvironment(input.env, context);
  await assertNoErrors(user, environment.problems);

  const usable = projects.flatMap((file) => (file === undefined || isBroken(file) ? [] : [file]));
  const { warnings, ...resolved } = resolveSettings({
    environment: environment.values,
    user,
    projects: usable,
  });
  const files = [user, ...projects].flatMap((file) => file ?? []);
  const ignored = files.filter(isBroken).flatMap((file) => file.errors.map(ignoredFile));
  const kept = files.filter((file) => !isBroken(file)).flatMap((file) => file.warnings);
  const located = await locateDiagnostics([...ignored, ...kept, ...warnings], files);
  return { ...resolved, warnings: [...sortByPosition(located, files), ...environment.warnings] };
}

/** The path of the user's own file; `undefined` when no home directory is known. */
export function userSettingsPath(
  input: Pick<LoadSettingsInput, "env" | "platform" | "home">,
): string | undefined {
  const { config } = userDirectories(input);
  return config && joinPath(pathStyleOf(input.platform), config, "settings.toml");
}

/** The repository's files, in the order in which they apply. */
function projectSettingsPaths({ platform, workspaceRoot }: LoadSettingsInput): readonly string[] {
  return ["settings.toml", "settings.local.toml"].map((name) =>
    joinPath(pathStyleOf(platform), workspaceRoot, ".caliban", name),
  );
}

async function assertNoErrors(
  user: ParsedFile | undefined,
  environmentProblems: readonly SettingsDiagnostic[],
): Promise<void> {
  const inFile = user === undefined ? [] : await locateDiagnostics(user.errors, [user]);
  const problems = [...inFile, ...environmentProblems];
  if (problems.length > 0) throw new SettingsError(problems);
}

function isBroken(file: ParsedFile): boolean {
  return file.errors.length > 0;
}

function ignoredFile(diagnostic: KeyDiagnostic): KeyDiagnostic {
  const message = `${diagnostic.message} The whole file is ignored until this is fixed.`;
  return { ...diagnostic, message };
}

/** By file, then from top to bottom. */
function sortByPosition(
  diagnostics: readonly SettingsDiagnostic[],
  files: readonly ParsedFile[],
): readonly SettingsDiagnostic[] {
  return files.flatMap((file) =>
    diagnostics
      .filter(({ path }) => path === file.path)
      .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)),
  );
}

/** The default settings, for a run that must not depend on what is on disk. */
export function defaultSettings(): LoadedSettings {
  return resolveSettings({ environment: new Map(), user: undefined, projects: [] });
}

/** Larger files are neither read nor written. */
export const MAX_SETTINGS_BYTES: number = 1024 * 1024;

/** Reads and parses one settings file; `undefined` when it does not exist. The parser is loaded only for a file. */
export async function readSettingsFile(
  path: string | undefined,
  context: CheckContext,
): Promise<ParsedFile | undefined> {
  if (path === undefined) return undefined;
  const file = readTextFile(path, MAX_SETTINGS_BYTES);
  if (file.kind === "missing") return undefined;
  const problem = unreadable(path, file);
  if (problem !== undefined) return unusable(path, problem);
  const { parseSettingsFile } = await import("../file/parse-file.ts");
  // TOML does not allow a byte order mark, but editors on Windows write one.
  const text = file.kind === "text" ? file.text.replace(/^\uFEFF/, "") : "";
  return parseSettingsFile({ path, text }, context);
}

function unreadable(path: string, file: TextFile): KeyDiagnostic | undefined {
  const code = "FILE_UNREADABLE";
  if (file.kind !== "text") {
    return { code, path, message: `cannot read the settings: ${file.message}.` };
  }
  if (file.fileBytes > MAX_SETTINGS_BYTES) {
    const message = `the file is too large: ${file.fileBytes} bytes; the limit is 1 MiB.`;
    return { code, path, message };
  }
  if (file.invalidAt === undefined) return undefined;
  return { code, path, ...file.invalidAt, message: "not valid UTF-8. Save the file as UTF-8." };
}

function unusable(path: string, problem: KeyDiagnostic): ParsedFile {
  return { path, text: "", values: new Map(), errors: [problem], warnings: [] };
}
