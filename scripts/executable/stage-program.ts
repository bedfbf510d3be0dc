import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

/** Copies the built program for the compiler. */
export async function stageProgram(built: string, destination: string): Promise<void> {
  await cp(built, destination, { recursive: true });
  const names = await readdir(destination, { recursive: true });
  for (const name of names.filter((each) => each.endsWith(".js"))) {
    const path = join(destination, name);
    const code = await readFile(path, "utf8");
    const staged = withLazySystem(withoutSelfImports(code, basename(name)));
    if (staged !== code) await writeFile(path, staged);
  }
}

/**
 * A chunk that imports itself dynamically finds its own exports without an import: the compiler would call a function
 * that it does not write.
 */
export function withoutSelfImports(code: string, name: string): string {
  const selfImport = new RegExp(`import\\((["'\`])\\./${name.replaceAll(".", "\\.")}\\1\\)`, "g");
  const staged = code.replaceAll(selfImport, "Promise.resolve(ownExports)");
  return staged === code ? code : `import * as ownExports from "./${name}";\n${staged}`;
}

/** Bun takes milliseconds to load `node:os`, whose functions are rarely called. */
export function withLazySystem(code: string): string {
  return code.replaceAll(
    /process\.getBuiltinModule\(([`"'])node:os\1\)\.(\w+)(?![\w(])/g,
    (member) => `((...values)=>${member}(...values))`,
  );
}
