import { readFileSync } from "node:fs";
import { errorCode } from "@caliban/common/node";

/** The paths of the Unix sockets that programs on this machine have opened, on Linux. */
export function openSockets(): readonly string[] {
  try {
    return socketPaths(readFileSync("/proc/net/unix", "utf8"));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}

/** The paths in a table of sockets, in which each line ends with the path if there is one. */
function socketPaths(table: string): readonly string[] {
  const paths = table
    .split("\n")
    .map((line) => /^(?:\S+\s+){7}(\/.*)$/.exec(line.trimStart())?.[1]);
  return [...new Set(paths.filter((path) => path !== undefined))];
}
