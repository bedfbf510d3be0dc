/**
 * Classes of this workspace are not used with `instanceof`: a second copy of a package has classes of its own. Each error
 * file exports a check instead, such as `isMemoryError`.
 */
export const errorsByName = {
  /** @param {any} context */
  create(context) {
    /** @type {Set<string>} */
    const ours = new Set();
    return {
      /** @param {any} node */
      ImportDeclaration(node) {
        if (!/^\.|^@caliban\//.test(node.source.value)) return;
        for (const { local } of node.specifiers) ours.add(local.name);
      },
      /** @param {any} node */
      BinaryExpression(node) {
        if (node.operator !== "instanceof" || !ours.has(node.right.name)) return;
        context.report({
          node,
          message: `Use is${node.right.name}(error): another copy of the package has another class.`,
        });
      },
    };
  },
};
