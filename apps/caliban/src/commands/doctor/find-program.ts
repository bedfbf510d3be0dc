import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import type { Environment } from "@caliban/common";
import { errorCode } from "@caliban/common/node";

/** Where a program is: at its own path, else in PATH; `undefined` where there is none that can be run. */
export async function findProgram(
  { env, platform }: { readonly env: Environment; readonly platform: string },
  name: string,
): Promise<string | undefined> {
  const endings = platform === "win32" ? ["", ...(env["PATHEXT"] ?? ".EXE;.CMD").split(";")] : [""];
  const directories = (env["PATH"] ?? "").split(delimiter).filter((path) => path !== "");
  const places = isAbsolute(name) ? [name] : directories.map((directory) => join(directory, name));
  const found = await Promise.all(
    places
      .flatMap((place) => endings.map((ending) => place + ending))
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
