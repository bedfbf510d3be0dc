import { type Environment, joinPath, pathStyleOf, userDirectories } from "@caliban/common";
import { readEnvironment } from "../environment-layer.ts";
import type { KeyProblem, ParsedFile } from "../parse-file.ts";
import { SettingsError, type SettingsProblem } from "../problem.ts";
import { type EffectiveSetting, resolveSettings } from "../resolve.ts";
import type { ServerWish } from "../resolve-wishes.ts";
import type { SettingValues } from "../setting-keys.ts";
import { locateProblems } from "../locate-problems.ts";
import { readSettingsFile } from "./read-settings-file.ts";

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
  /** Servers that the repository wishes for. None of them is a setting: each needs the person's approval. */
  readonly wishes: readonly ServerWish[];
  /** Nothing here stopped the load; all of it should be shown. */
  readonly warnings: readonly SettingsProblem[];
}

/** The person's own file; `undefined` when no home directory is known. */
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

/** @throws SettingsError when the person's own file or a variable is broken; a project's file never throws. */
export async function loadSettings(input: LoadSettingsInput): Promise<LoadedSettings> {
  const context = { style: pathStyleOf(input.platform), home: input.home };
  const [user, ...projects] = await Promise.all(
    [userSettingsPath(input), ...projectSettingsPaths(input)].map((path) =>
      readSettingsFile(path, context),
    ),
  );
  const environment = readEnvironment(input.env, context);
  await refuseErrors(user, environment.problems);

  const usable = projects.flatMap((file) => (file === undefined || isBroken(file) ? [] : [file]));
  const { warnings, ...resolved } = resolveSettings({
    environment: environment.values,
    user,
    projects: usable,
  });
  const files = [user, ...projects].flatMap((file) => file ?? []);
  const ignored = files.filter(isBroken).flatMap((file) => file.errors.map(ignoredFile));
  const kept = files.filter((file) => !isBroken(file)).flatMap((file) => file.warnings);
  const located = await locateProblems([...ignored, ...kept, ...warnings], files);
  return { ...resolved, warnings: [...inOrder(located, files), ...environment.warnings] };
}

async function refuseErrors(
  user: ParsedFile | undefined,
  environmentProblems: readonly SettingsProblem[],
): Promise<void> {
  const inFile = user === undefined ? [] : await locateProblems(user.errors, [user]);
  const problems = [...inFile, ...environmentProblems];
  if (problems.length > 0) throw new SettingsError(problems);
}

function isBroken(file: ParsedFile): boolean {
  return file.errors.length > 0;
}

function ignoredFile(problem: KeyProblem): KeyProblem {
  return {
    ...problem,
    message: `${problem.message} The whole file is ignored until this is mended.`,
  };
}

/** The settings of somebody who set nothing: for a run that must not depend on what is on disk. */
export function defaultSettings(): LoadedSettings {
  const { warnings, ...resolved } = resolveSettings({
    environment: new Map(),
    user: undefined,
    projects: [],
  });
  return { ...resolved, warnings };
}

/** By file, then from top to bottom, as one reads. */
function inOrder(
  problems: readonly SettingsProblem[],
  files: readonly ParsedFile[],
): readonly SettingsProblem[] {
  return files.flatMap(({ path }) =>
    problems
      .filter(({ where }) => where === path)
      .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)),
  );
}
