import { pathStyleOf } from "@caliban/common";
import { locateDiagnostics } from "../file/locate-diagnostics.ts";
import type { SettingsDiagnostic } from "../diagnostic.ts";
import type { SettingKey } from "../keys/setting-keys.ts";
import { readSettingsFile } from "./load-settings.ts";

export interface LocateSettingInput {
  readonly path: string;
  readonly key: SettingKey;
  readonly platform: string;
  readonly home: string | undefined;
}

/** The position of a key in a settings file, counted from 1; empty when the file does not set it. */
export async function locateSetting(
  input: LocateSettingInput,
): Promise<Pick<SettingsDiagnostic, "line" | "column">> {
  const { path, key, platform, home } = input;
  const file = await readSettingsFile(path, { style: pathStyleOf(platform), home });
  const given = file?.values.get(key);
  if (file === undefined || given === undefined) return {};
  const { segments } = given;
  const wanted = { code: "WRONG_TYPE", path, segments, message: "" } as const;
  const [located] = await locateDiagnostics([wanted], [file]);
  return { line: located?.line, column: located?.column };
}
