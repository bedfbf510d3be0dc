import { readFileSync } from "node:fs";
import { isRecord } from "@caliban/common";
import { errorCode, statIfExists } from "@caliban/common/node";
import {
  isPackageManifest,
  PACKAGE_SCRIPTS_REASON,
  runsOtherPrograms,
} from "../../protection/package-scripts.ts";

const MAX_MANIFEST_BYTES = 1_048_576;

/** Says why a call of `Write` or `Edit` needs approval: it changes what a `package.json` runs. */
export function findManifestReason(path: string, input: unknown): string | undefined {
  if (!isPackageManifest(path.replaceAll("\\", "/")) || !isRecord(input)) return undefined;
  const before = readManifest(path);
  const after = textAfter(before, input);
  // Without the outcome, every change counts.
  const changes = after === undefined || runsOtherPrograms(before, after);
  return changes ? PACKAGE_SCRIPTS_REASON : undefined;
}

/** `undefined` for a missing file. Anything that cannot be read counts as a text that is not valid JSON. */
export function readManifest(path: string): string | undefined {
  try {
    const stats = statIfExists(path);
    if (stats === undefined) return undefined;
    return stats.isFile() && stats.size <= MAX_MANIFEST_BYTES ? readFileSync(path, "utf8") : "";
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return "";
  }
}

function textAfter(
  before: string | undefined,
  input: Readonly<Record<string, unknown>>,
): string | undefined {
  const { content, old_string: old, new_string: text } = input;
  if (typeof content === "string") return content;
  if (typeof old !== "string" || typeof text !== "string" || old === "") return undefined;
  if (before?.includes(old) !== true) return undefined;
  return input["replace_all"] === true
    ? before.replaceAll(old, () => text)
    : before.replace(old, () => text);
}
