/** An AbortSignal where the types of the platform have one, so that it can be handed to `fetch`; else what it can do. */
export type StopSignal = typeof globalThis extends {
  readonly AbortSignal: { readonly prototype: infer Signal };
}
  ? Signal
  : {
      readonly aborted: boolean;
      readonly throwIfAborted: () => void;
      readonly addEventListener: (type: "abort", listener: () => void) => void;
      readonly removeEventListener: (type: "abort", listener: () => void) => void;
    };
