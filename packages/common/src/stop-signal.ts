/** An AbortSignal where the platform's types have one, so that it can be passed to `fetch`; otherwise the part used here. */
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
