import { join } from "node:path";
import { listNames } from "@caliban/common/node";
import { type Repository, runOrThrow, SMALL_OUTPUT } from "./repository.ts";

const MAX_PACKS = 50;

/** Makes one pack of many, because every fetch adds one. Nothing that the head leads to is lost. */
export async function repackIfNeeded(
  { git, limits }: Repository,
  head: string,
  maxPacks: number = MAX_PACKS,
): Promise<void> {
  const names = listNames(join(git.repository, "objects", "pack"));
  if (names.filter((name) => name.endsWith(".pack")).length <= maxPacks) return;
  const command = { timeoutMs: limits.networkTimeoutMs, maxOutputBytes: SMALL_OUTPUT };
  await runOrThrow(git, { ...command, command: ["update-ref", "refs/caliban/current", head] });
  await runOrThrow(git, { ...command, command: ["repack", "-a", "-d", "-q"] });
}
