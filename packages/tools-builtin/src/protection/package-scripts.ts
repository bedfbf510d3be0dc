import { isRecord, parseJson } from "@caliban/common";

/** The fields of `package.json` that name programs which package managers and Git hooks run. */
const RUNNING_FIELDS: readonly string[] = [
  "scripts",
  "packageManager",
  "husky",
  "lint-staged",
  "simple-git-hooks",
  "pre-commit",
  "pre-push",
  "gitHooks",
];

/** Why a change of what `package.json` runs needs approval. */
export const PACKAGE_SCRIPTS_REASON =
  "package.json names programs that package managers and Git hooks run.";

/** Whether a path names the manifest of a JavaScript package. The separator is `/`. */
export function isPackageManifest(path: string): boolean {
  return /(?:^|\/)package\.json$/i.test(path);
}

/**
 * Whether two versions of a `package.json` run different programs. A missing file runs nothing. A text that is not valid
 * JSON is compared as a whole.
 */
export function runsOtherPrograms(before: string | undefined, after: string | undefined): boolean {
  if (before === after) return false;
  const [old, current] = [runningFields(before), runningFields(after)];
  return old === undefined || current === undefined || old !== current;
}

/** `undefined` for a text that is not a JSON object. */
function runningFields(text: string | undefined): string | undefined {
  if (text === undefined) return "{}";
  const manifest = parseJson(text.replace(/^\uFEFF/, ""));
  if (!isRecord(manifest)) return undefined;
  const entries = RUNNING_FIELDS.filter((name) => Object.hasOwn(manifest, name)).map(
    (name) => [name, manifest[name]] as const,
  );
  return JSON.stringify(Object.fromEntries(entries));
}
