import type { KeyProblem, SettingsFile } from "./parse-file.ts";
import type { SettingsProblem } from "./problem.ts";

/** Gives each problem the line of its key. The parser that knows positions is loaded only for that. */
export async function locateProblems(
  problems: readonly KeyProblem[],
  files: readonly SettingsFile[],
): Promise<readonly SettingsProblem[]> {
  if (problems.every((problem) => problem.segments === undefined)) return problems;
  const { createKeyLocator } = await import("./locate-key.ts");
  const locators = new Map(files.map(({ path, text }) => [path, createKeyLocator(text)]));
  return problems.map(({ segments, ...problem }) => {
    const locate = locators.get(problem.where);
    if (segments === undefined || locate === undefined) return problem;
    return { ...problem, ...locate(segments) };
  });
}
