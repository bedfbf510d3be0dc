/**
 * How much each kind of shared term says about whether a memory concerns a moment. Fitted by `bench/applied/fit.ts` on the
 * tuning cases: a choice between all passages and showing nothing, whose probabilities follow from these sums.
 */
export const NOTE_WEIGHTS: NoteWeights = {
  /** Words of the user's message: anywhere in the passage, in what it starts with, and in the statement itself. */
  message: { anywhere: 1.79, title: 1.51, own: 1.26 },
  /** The file itself, by its name and by its last directories. */
  file: 0.06,
  /** The file's directory as a whole, and the words of its name. */
  directory: 0.54,
  directoryName: 0.54,
  /** Words and parts of identifiers in the lines that a call reads or writes. */
  word: { anywhere: 1.31, own: 0.66 },
  command: 0.92,
  /** That a statement forbids what a call does. */
  avoided: 0.62,
  /** How much the passage settles something. */
  strength: 0.68,
  /** For each factor of e over the usual number of terms, apart from what counts less in a longer passage. */
  length: 0.22,
  /** That nothing is needed. */
  nothing: { message: 4.8, call: 6.12 },
};

export interface NoteWeights {
  readonly message: { readonly anywhere: number; readonly title: number; readonly own: number };
  readonly file: number;
  readonly directory: number;
  readonly directoryName: number;
  readonly word: { readonly anywhere: number; readonly own: number };
  readonly command: number;
  readonly avoided: number;
  readonly strength: number;
  readonly length: number;
  readonly nothing: { readonly message: number; readonly call: number };
}
