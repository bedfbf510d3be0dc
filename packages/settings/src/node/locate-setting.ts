import { pathStyleOf } from "@caliban/common";
import { locateProblems } from "../locate-problems.ts";
import type { SettingsProblem } from "../problem.ts";
import type { SettingKey } from "../setting-keys.ts";
import { readSettingsFile } from "./read-settings-file.ts";

export interface LocateSettingInput {
  readonly path: string;
  readonly key: SettingKey;
  readonly platform: string;
  readonly home: string | undefined;
}

/** Where a key stands in a settings file, counted from 1; neither is known when it is not in there. */
export async function locateSetting(
  input: LocateSettingInput,
): Promise<Pick<SettingsProblem, "line" | "column">> {
  const { path, key, platform, home } = input;
  const file = await readSettingsFile(path, { style: pathStyleOf(platform), home });
  const given = file?.values.get(key);
  if (file === undefined || given === undefined) return {};
  const { segments } = given;
  const wanted = { code: "WRONG_TYPE", where: path, segments, message: "" } as const;
  const [located] = await locateProblems([wanted], [file]);
  return { line: located?.line, column: located?.column };
}
