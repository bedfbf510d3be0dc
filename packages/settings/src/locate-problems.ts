import type { KeyProblem, SettingsFile } from "./parse-file.ts";
import type { SettingsProblem } from "./problem.ts";

/** Gives each problem the line of its key. The parser that knows positions is loaded only for that. */
export async function locateProblems(
  problems: readonly KeyProblem[],
  files: readonly SettingsFile[],
): Promise<readonly SettingsProblem[]> {
  if (problems.every((problem) => problem.segments === undefined)) return problems;
  const { locateKey } = await import("./locate-key.ts");
  return problems.map(({ segments, ...problem }) => {
    const file = files.find(({ path }) => path === problem.where);
    if (segments === undefined || file === undefined) return problem;
    return { ...problem, ...locateKey(file.text, segments) };
  });
}
