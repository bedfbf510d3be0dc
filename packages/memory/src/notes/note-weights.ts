/**
 * How much each kind of shared term says about whether a memory concerns a moment. Fitted by `bench/applied/fit.ts` on the
 * tuning cases: a choice between all passages and showing nothing, whose probabilities follow from these sums.
 */
export const NOTE_WEIGHTS: NoteWeights = {
  /** Words of the user's message: anywhere in the passage, in what it starts with, and in the statement itself. */
  message: { anywhere: 2.48, title: 1.49, own: 0.94 },
  /** The file itself, by its name and by its last directories. */
  file: 0.28,
  /** The file's directory as a whole, and the words of its name that were not counted before. */
  directory: 0.6,
  directoryName: 1.06,
  /** Words and parts of identifiers in the lines that a call reads or writes, without those of the message. */
  word: { anywhere: 1.82, own: 0.58 },
  command: 0.7,
  /** That a statement forbids what a call does. */
  avoided: 0.2,
  /** How much the passage settles something, and whether it does so in general. */
  strength: 0.98,
  general: 0.44,
  /** For each factor of e over the usual number of terms, apart from what counts less in a longer passage. */
  length: 0.21,
  /** That nothing is needed, and what is added for a repair or a question. */
  nothing: { message: 5.12, call: 6.42, repair: 3.87, question: 4.21 },
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
  readonly general: number;
  readonly length: number;
  readonly nothing: {
    readonly message: number;
    readonly call: number;
    readonly repair: number;
    readonly question: number;
  };
}
