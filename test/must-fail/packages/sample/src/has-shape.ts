// breaks nothing: imports-type-as-value.ts needs it
export interface Shape {
  readonly name: string;
}
