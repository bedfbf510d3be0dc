/** Only errors are classes. Anything else is a `createX(deps)` function that returns an object. */
export const classesAreErrors = {
  /** @param {any} context */
  create(context) {
    return {
      /** @param {any} node */
      ClassDeclaration(node) {
        if (node.superClass?.name?.endsWith("Error")) return;
        context.report({
          node,
          message: "Only errors are classes; write a createX function that returns an object.",
        });
      },
    };
  },
};
