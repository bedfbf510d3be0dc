import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { importSources } from "./import-sources.mjs";

/** Sibling folders of a package import one another in one direction only, at every level. */
export const oneDirection = {
  /** @param {any} context */
  create(context) {
    const root = sourceRoot(context.filename);
    if (root === undefined) return {};
    return importSources((source, node) => {
      const edge = siblingFolders(root, context.filename, source);
      if (edge === undefined || !reaches(folderGraph(root), edge.to, edge.from)) return;
      context.report({
        node,
        message: `${edge.from} imports ${edge.to}, which imports it back; move the shared part to one side.`,
      });
    });
  },
};

/** @param {string} file */
function sourceRoot(file) {
  return /^.*[\\/](?:packages|apps)[\\/][^\\/]+[\\/]src(?=[\\/])/.exec(file)?.[0];
}

/**
 * The two sibling folders that an import connects. Files next to a folder belong to no sibling of it, because the
 * root of a package both composes its folders and holds what all of them share.
 * @param {string} root
 * @param {string} file
 * @param {string} source
 */
function siblingFolders(root, file, source) {
  if (!source.startsWith(".")) return undefined;
  const from = folders(root, file);
  const to = folders(root, join(dirname(file), source));
  const at = from.findIndex((name, index) => name !== to[index]);
  if (at === -1 || to[at] === undefined) return undefined;
  return { from: from.slice(0, at + 1).join("/"), to: to.slice(0, at + 1).join("/") };
}

/** @param {string} root @param {string} file */
function folders(root, file) {
  const folder = relative(root, dirname(file));
  return folder === "" ? [] : folder.split(sep);
}

/** @type {Map<string, Map<string, Set<string>>>} */
const graphs = new Map();

/** Which folder imports which siblings, read once per package. @param {string} root */
function folderGraph(root) {
  const known = graphs.get(root);
  if (known !== undefined) return known;
  /** @type {Map<string, Set<string>>} */
  const graph = new Map();
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".ts")) continue;
    const file = join(root, name);
    for (const [, source = ""] of readFileSync(file, "utf8").matchAll(IMPORT)) {
      const edge = siblingFolders(root, file, source);
      if (edge === undefined) continue;
      graph.set(edge.from, (graph.get(edge.from) ?? new Set()).add(edge.to));
    }
  }
  graphs.set(root, graph);
  return graph;
}

const IMPORT = /(?:\bfrom|\bimport\(?)\s*"(\.[^"]+)"/g;

/**
 * @param {Map<string, Set<string>>} graph
 * @param {string} from
 * @param {string} to
 */
function reaches(graph, from, to) {
  const seen = new Set([from]);
  for (const folder of seen) {
    if (folder === to) return true;
    for (const next of graph.get(folder) ?? []) seen.add(next);
  }
  return false;
}
