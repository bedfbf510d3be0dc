import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Environment } from "@caliban/common";
import { errorCode } from "@caliban/common/node";

/** The system's code for why a path cannot be used in a mode of `fs.constants`; `undefined` when it can. */
export function accessError(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return code;
  }
}

/** The path of an executable: the given path if it is absolute, otherwise the first match in PATH. */
export function findProgram(
  { env, platform }: { readonly env: Environment; readonly platform: string },
  name: string,
): string | undefined {
  const extensions =
    platform === "win32" ? ["", ...(env["PATHEXT"] ?? ".EXE;.CMD").split(";")] : [""];
  const directories = (env["PATH"] ?? "").split(delimiter).filter((path) => path !== "");
  const paths = isAbsolute(name) ? [name] : directories.map((directory) => join(directory, name));
  return paths
    .flatMap((path) => extensions.map((extension) => path + extension))
    .find((path) => accessError(path, constants.X_OK) === undefined);
}
