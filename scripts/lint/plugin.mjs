import { classesAreErrors } from "./classes-are-errors.mjs";
import { declaredDependencies } from "./declared-dependencies.mjs";
import { descriptiveFileNames } from "./descriptive-file-names.mjs";
import { errorsByName } from "./errors-by-name.mjs";
import { namedExports } from "./named-exports.mjs";
import { noCurrentDate } from "./no-current-date.mjs";
import { oneDirection } from "./one-direction.mjs";
import { pureImports } from "./pure-imports.mjs";

// The architecture as lint rules. test/must-fail has a file for each of them, to detect a broken rule.
export default {
  meta: { name: "caliban" },
  rules: {
    "classes-are-errors": classesAreErrors,
    "declared-dependencies": declaredDependencies,
    "descriptive-file-names": descriptiveFileNames,
    "errors-by-name": errorsByName,
    "named-exports": namedExports,
    "no-current-date": noCurrentDate,
    "one-direction": oneDirection,
    "pure-imports": pureImports,
  },
};
