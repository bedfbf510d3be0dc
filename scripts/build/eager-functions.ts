import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Chunk {
  readonly fileName: string;
  code: string;
}

// Files that import each other in a circle must not be among them: a variable is assigned later than a declaration.
const START_FILES = /^(?:start|core|cli|agent|recall|anthropic|provider-utils|hook)\.js$/;

interface Context {
  readonly parse: (code: string) => unknown;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/**
 * Puts the functions of a start in parentheses, so that V8 compiles them together with their file, and Node's compile cache has them.
 * Any other function is compiled when it is called for the first time, and in every process again: the cache is written
 * before anything was called. A declaration becomes a variable at the start of its file, which is where JavaScript declares it anyway.
 * Only for functions at the top level of a file that a start calls, and those inside of them: `pnpm start-functions` notes their names.
 */
export function eagerFunctions() {
  const list = readFileSync(join(import.meta.dirname, "start-functions.txt"), "utf8");
  const names = new Set(list.split("\n"));
  return {
    name: "eager-functions",
    generateBundle(this: Context, _options: unknown, bundle: Record<string, Chunk>): void {
      for (const chunk of Object.values(bundle)) {
        if (START_FILES.test(chunk.fileName))
          chunk.code = compileEagerly(chunk.code, this.parse, names);
      }
    },
  };
}

/** @param names without the number that the bundler adds to the second function of a name */
export function compileEagerly(
  code: string,
  parse: Context["parse"],
  names: ReadonlySet<string>,
): string {
  const { body } = parse(code) as { readonly body: readonly Node[] };
  const assigned = assignedNames(body);
  const isCalled = (name: unknown): boolean =>
    names.has(String(name).replace(/\$\d+$/, "")) && !assigned.has(String(name));
  const declarations = body.filter(
    (node) => node.type === "FunctionDeclaration" && isCalled(nameOf(node["id"])),
  );
  const declared = declarations.map((node) => {
    const text = applyEdits(code, innerFunctions(node).flatMap(inParentheses), node);
    return `${nameOf(node["id"])}=(${text})`;
  });
  const moved = declarations.map(({ start, end }) => ({ start, end, text: "" }));
  const values = body
    .flatMap((node) => (node["declarations"] ?? []) as readonly Declarator[])
    .filter(({ id, init }) => init !== null && FUNCTIONS.has(init.type) && isCalled(nameOf(id)))
    .flatMap(({ init }) => (init === null ? [] : [init].concat(innerFunctions(init))))
    .flatMap(inParentheses);
  const start = body.find(({ type }) => type !== "ImportDeclaration")?.start ?? 0;
  const first = declared.length === 0 ? "" : `var ${declared.join(",")};`;
  const edits = [{ start, end: start, text: first }, ...moved, ...values];
  return applyEdits(code, edits, { start: 0, end: code.length });
}

function nameOf(identifier: unknown): string {
  return (identifier as { readonly name?: string } | null)?.name ?? "";
}

interface Declarator {
  readonly id: Node;
  readonly init: Node | null;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const FUNCTIONS: ReadonlySet<string> = new Set(["FunctionExpression", "ArrowFunctionExpression"]);

/** The function expressions in a function, at any depth. A method cannot be put in parentheses. */
function innerFunctions(node: Node): readonly Node[] {
  return children(node).flatMap(({ key, child }) => {
    const isMethod =
      key === "value" &&
      (node["method"] === true || node["kind"] !== "init" || node.type !== "Property");
    const own = FUNCTIONS.has(child.type) && !isMethod ? [child] : [];
    return own.concat(innerFunctions(child));
  });
}

function inParentheses({ start, end }: Node): readonly Edit[] {
  return [
    { start, end: start, text: "(" },
    { start: end, end, text: ")" },
  ];
}

/** A variable that is assigned must not be named by the function itself, which would hide it. */
function assignedNames(body: readonly Node[]): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: Node): void => {
    const target = (node["left"] ?? node["argument"]) as Node | undefined;
    const assigns = node.type === "AssignmentExpression" || node.type === "UpdateExpression";
    if (assigns && target?.type === "Identifier") names.add(String(target["name"]));
    for (const { child } of children(node)) visit(child);
  };
  for (const node of body) visit(node);
  return names;
}

interface Child {
  readonly key: string;
  readonly child: Node;
}

function children(node: Node): readonly Child[] {
  return Object.entries(node).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((each): each is Node => typeof each?.type === "string")
      .map((child) => ({ key, child })),
  );
}

/** Edits at the same place stay in the given order. */
function applyEdits(
  code: string,
  edits: readonly Edit[],
  { start: from, end: to }: Pick<Edit, "start" | "end">,
): string {
  const ordered = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  let at = from;
  const parts = ordered.flatMap(({ start, end, text }) => {
    const kept = code.slice(at, start);
    at = end;
    return [kept, text];
  });
  return parts.join("") + code.slice(at, to);
}
