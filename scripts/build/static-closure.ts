import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * Returns every source file of ours that is loaded together with the given files: their static imports, recursively.
 * Excludes types, dynamic imports and libraries. Of a package entry only the imported names count, because the bundler
 * drops the rest.
 * @param packages the directory of the workspace packages, to resolve `@caliban/…`
 */
export function staticClosure(files: readonly string[], packages: string): ReadonlySet<string> {
  const found = new Set(files.map((file) => resolve(file)));
  for (const file of found) {
    if (!existsSync(file)) throw new Error(`${file} does not exist; the bundle is made from it`);
    for (const { source, names } of staticImports(file)) {
      const target = resolveSource(source, file, packages);
      for (const each of target === undefined ? [] : definingFiles(target, names)) found.add(each);
    }
  }
  return found;
}

interface StaticImport {
  readonly source: string;
  /** Imported or re-exported values; `undefined` for all. */
  readonly names: readonly string[] | undefined;
}

function staticImports(file: string): readonly StaticImport[] {
  return [...readFileSync(file, "utf8").matchAll(STATIC_IMPORT)].flatMap(([, clause, source]) => {
    const names = valueNames(clause ?? "");
    return names?.length === 0 && clause !== undefined ? [] : [{ source: source ?? "", names }];
  });
}

/** `import … from "x"`, `export … from "x"` and `import "x"`. */
const STATIC_IMPORT = /^(?:import|export)\s+(?:([^"';()=]*?)\s+from\s+)?"([^"]+)"/gm;

/** The names between the braces without types; `undefined` where a whole module is imported. */
function valueNames(clause: string): readonly string[] | undefined {
  if (/^type\b/.test(clause)) return [];
  const [, list] = /\{([^}]*)\}/.exec(clause) ?? [];
  return list
    ?.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "))
    .map((name) => name.split(/\s+as\s+/)[0] ?? name);
}

/** Resolves names of an index file to the files that define them. */
function definingFiles(file: string, names: readonly string[] | undefined): readonly string[] {
  if (names === undefined || !/[\\/]index\.ts$/.test(file) || !existsSync(file)) return [file];
  const exported = staticImports(file).map((each) => ({
    path: join(dirname(file), each.source),
    names: each.names ?? [],
  }));
  return names.flatMap((name) => {
    const at = exported.find((each) => each.names.includes(name));
    return at === undefined ? [file] : definingFiles(at.path, [name]);
  });
}

function resolveSource(source: string, importer: string, packages: string): string | undefined {
  if (source.startsWith(".")) return join(dirname(importer), source);
  const [, name = "", subpath = ""] = /^@caliban\/([^/]+)(\/.+)?$/.exec(source) ?? [];
  if (name === "") return undefined;
  const manifest: unknown = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8"));
  const target = (manifest as Manifest).exports[`.${subpath}`];
  const file = typeof target === "string" ? target : target?.["caliban:source"];
  if (file === undefined) throw new Error(`${importer}: ${source} is not an entry of ${name}`);
  return join(packages, name, file);
}

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly "caliban:source"?: string }>>;
}
