import htm from "htm";
import { type ComponentChildren, h, type VNode } from "preact";

/** What a component returns. */
export type View = ComponentChildren;

/** Templates of elements. Values become text nodes and attributes, never markup. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the package describes itself as CommonJS, and is a module for bundlers
export const html: Template = (htm as unknown as Bindable).bind(h);

type Template = (strings: TemplateStringsArray, ...values: readonly unknown[]) => VNode;

interface Bindable {
  readonly bind: (element: typeof h) => Template;
}
