/**
 * Calls back for everything a file imports or re-exports by a literal name, dynamic imports too.
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
