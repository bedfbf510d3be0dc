/** `new Date(value)` is arithmetic. `new Date()` and `Date()` read the clock, which must be an argument. */
export const noCurrentDate = {
  /** @param {any} context */
  create(context) {
    /** @param {any} node */
    const check = (node) => {
      if (
        node.callee.name !== "Date" ||
        (node.type === "NewExpression" && node.arguments.length > 0)
      )
        return;
      context.report({ node, message: "Take the time as an argument." });
    };
    return { NewExpression: check, CallExpression: check };
  },
};
