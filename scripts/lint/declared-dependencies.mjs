import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { importSources } from "./import-sources.mjs";

/** Imports of `src` must be declared dependencies, or inlined by the build. */
export const declaredDependencies = {
  /** @param {any} context */
  create(context) {
    const manifest = nearestManifest(dirname(context.filename));
    const allowed = new Set([
      manifest.name,
      ...Object.keys(manifest.dependencies ?? {}),
      ...Object.keys(manifest.peerDependencies ?? {}),
      ...inlined(manifest),
    ]);
    return importSources((source, node) => {
      const name = packageName(source);
      if (name === undefined || allowed.has(name)) return;
      context.report({
        node,
        message: `${name} is not in the dependencies of ${manifest.name}; declare it there or remove the import.`,
      });
    });
  },
};

/**
 * A program ships as a bundle, so its development dependencies count. A library inlines the private package only.
 * @param {any} manifest
 */
function inlined(manifest) {
  const development = Object.keys(manifest.devDependencies ?? {});
  return manifest.bin === undefined
    ? development.filter((name) => name === "@caliban/common")
    : development;
}

/** @param {string} source */
function packageName(source) {
  if (source.startsWith(".") || isBuiltin(source)) return undefined;
  return source
    .split("/")
    .slice(0, source.startsWith("@") ? 2 : 1)
    .join("/");
}

/** @param {string} directory @returns {any} */
function nearestManifest(directory) {
  const path = join(directory, "package.json");
  if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8"));
  return nearestManifest(dirname(directory));
}
