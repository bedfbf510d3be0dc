/** A call that the offline model wants made. */
export interface OfflineCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What the offline model does next: it speaks, which ends the turn, or it calls tools. */
export type Move =
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "call"; readonly calls: readonly OfflineCall[] };

export function say(text: string): Move {
  return { kind: "say", text };
}

export function call(name: string, input: OfflineCall["input"]): Move {
  return { kind: "call", calls: [{ name, input }] };
}
