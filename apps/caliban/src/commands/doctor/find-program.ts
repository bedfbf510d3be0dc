import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import type { Environment } from "@caliban/common";
import { errorCode } from "@caliban/common/node";

/** The path of an executable: the given path if it is absolute, otherwise the first match in PATH. */
export async function findProgram(
  { env, platform }: { readonly env: Environment; readonly platform: string },
  name: string,
): Promise<string | undefined> {
  const extensions =
    platform === "win32" ? ["", ...(env["PATHEXT"] ?? ".EXE;.CMD").split(";")] : [""];
  const directories = (env["PATH"] ?? "").split(delimiter).filter((path) => path !== "");
  const paths = isAbsolute(name) ? [name] : directories.map((directory) => join(directory, name));
  const found = await Promise.all(
    paths
      .flatMap((path) => extensions.map((extension) => path + extension))
      .map(async (path) => ((await isExecutable(path)) ? path : undefined)),
  );
  return found.find((path) => path !== undefined);
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}
