import type { KeyDiagnostic, SettingsFile } from "./parse-file.ts";
import type { SettingsDiagnostic } from "../diagnostic.ts";

/** Adds the line and column of its key to each diagnostic. The parser that knows positions is loaded only for this. */
export async function locateDiagnostics(
  diagnostics: readonly KeyDiagnostic[],
  files: readonly SettingsFile[],
): Promise<readonly SettingsDiagnostic[]> {
  if (diagnostics.every((diagnostic) => diagnostic.segments === undefined)) return diagnostics;
  const { createKeyLocator } = await import("./locate-key.ts");
  const locators = new Map(files.map(({ path, text }) => [path, createKeyLocator(text)]));
  return diagnostics.map(({ segments, ...diagnostic }) => {
    const locate = locators.get(diagnostic.path ?? "");
    if (segments === undefined || locate === undefined) return diagnostic;
    return { ...diagnostic, ...locate(segments) };
  });
}
