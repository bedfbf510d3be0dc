/**
 * Calls `visit` for every literal specifier that a file imports, dynamically or not, or re-exports.
 * @param {(source: string, node: any) => void} visit
 */
export function importSources(visit) {
  /** @param {any} node */
  const check = (node) => {
    if (typeof node.source?.value === "string") visit(node.source.value, node.source);
  };
  return {
    ImportDeclaration: check,
    ImportExpression: check,
    ExportNamedDeclaration: check,
    ExportAllDeclaration: check,
  };
}
