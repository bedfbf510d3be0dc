import { isBuiltin } from "node:module";
import { importSources } from "./import-sources.mjs";

/** The pure half of a package imports no Node module and nothing of its own `node/` half. */
export const pureImports = {
  /** @param {any} context */
  create(context) {
    return importSources((source, node) => {
      const isNodeHalf =
        /^\.\.?\/(?:.*\/)?node\//.test(source) || /^@caliban\/[^/]+\/node$/.test(source);
      if (!isBuiltin(source) && !isNodeHalf) return;
      context.report({
        node,
        message: `Only src/node may import ${source}; pass what you need as an argument.`,
      });
    });
  },
};
