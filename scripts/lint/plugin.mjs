import { classesAreErrors } from "./classes-are-errors.mjs";
import { declaredDependencies } from "./declared-dependencies.mjs";
import { namedExports } from "./named-exports.mjs";
import { noCurrentDate } from "./no-current-date.mjs";
import { oneDirection } from "./one-direction.mjs";
import { pureImports } from "./pure-imports.mjs";
import { tellingFileNames } from "./telling-file-names.mjs";

// The architecture as lint rules. test/must-fail has a file for each, so that a broken rule is noticed.
export default {
  meta: { name: "caliban" },
  rules: {
    "classes-are-errors": classesAreErrors,
    "declared-dependencies": declaredDependencies,
    "named-exports": namedExports,
    "no-current-date": noCurrentDate,
    "one-direction": oneDirection,
    "pure-imports": pureImports,
    "telling-file-names": tellingFileNames,
  },
};
