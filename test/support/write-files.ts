import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Writes files below a directory, by relative path. */
export async function writeFiles(
  directory: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), content);
  }
}

/** The files that make a directory the top level of a git repository. */
export function gitDirectory(name: string): Readonly<Record<string, string>> {
  return { [`${name}/.git/HEAD`]: "", [`${name}/.git/objects/x`]: "", [`${name}/.git/refs/x`]: "" };
}

/** Creates a project `app` in a home directory. SLUG in a file name is replaced with the project's slug. */
export async function writeHome(
  home: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<{ readonly slug: string }> {
  const slug = `${home.slice(1).replaceAll("/", "-")}-app`;
  const named = Object.entries({ ...gitDirectory("app"), ...files }).map(
    ([name, content]) => [name.replace("SLUG", slug), content] as const,
  );
  await writeFiles(home, Object.fromEntries(named));
  return { slug };
}
