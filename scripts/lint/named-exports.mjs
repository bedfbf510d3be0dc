/** Every export is a promise, so it is named. `export *` makes everything in a file public. */
export const namedExports = {
  /** @param {any} context */
  create(context) {
    return {
      /** @param {any} node */
      ExportAllDeclaration(node) {
        context.report({ node, message: "Name the exports; `export *` hides them." });
      },
    };
  },
};
