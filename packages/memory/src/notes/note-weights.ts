/**
 * How much each kind of shared term says about whether a memory concerns a moment. Fitted by `bench/applied/fit.ts` on the
 * tuning cases: a choice between all passages and showing nothing, whose probabilities follow from these sums.
 */
export const NOTE_WEIGHTS: NoteWeights = {
  /** Words of the user's message: anywhere in the passage, in what it starts with, and in the statement itself. */
  message: { anywhere: 1.33, title: 1.71, own: 1.59 },
  /** The file itself, by its name and by its last directories. */
  file: 0.74,
  /** The file's directory as a whole, and the words of its name. */
  directory: 1.19,
  directoryName: 0.9,
  /** Words and parts of identifiers in the lines that a call reads or writes. */
  word: { anywhere: 1.91, own: 1.07 },
  command: 1.69,
  /** That a statement forbids what a call does. */
  avoided: 0.73,
  /** How much the passage settles something. */
  strength: 1.4,
  /** A long passage shares words with anything. For each factor of e over the usual length. */
  length: -0.52,
  /** That nothing is needed. */
  nothing: 5.11,
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
  readonly nothing: number;
}
