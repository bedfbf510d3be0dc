/** `export *` makes public whatever a file happens to hold; every export is a promise and is named. */
export const namedExports = {
  /** @param {any} context */
  create(context) {
    return {
      /** @param {any} node */
      ExportAllDeclaration(node) {
        context.report({ node, message: "Name what is exported; `export *` hides it." });
      },
    };
  },
};
