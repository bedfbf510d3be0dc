/**
 * How much each kind of shared term says about whether a memory concerns a moment. Fitted by `bench/applied/fit.ts` on the
 * tuning cases: a choice between all passages and showing nothing, whose probabilities follow from these sums.
 */
export const NOTE_WEIGHTS: NoteWeights = {
  /** Words of the user's message: anywhere in the passage, in what it starts with, and in the statement itself. */
  message: { anywhere: 2.46, title: 1.47, own: 0.98 },
  /** The file itself, by its name and by its last directories. */
  file: 0.29,
  /** The file's directory as a whole, and the words of its name that were not counted before. */
  directory: 0.58,
  directoryName: 1.07,
  /** Words and parts of identifiers in the lines that a call reads or writes, without those of the message. */
  word: { anywhere: 1.78, own: 0.66 },
  command: 0.70,
  /** That a statement forbids what a call does. */
  avoided: 0.20,
  /** How much the passage settles something, and whether it does so in general. */
  strength: 0.96,
  general: 0.42,
  /** For each factor of e over the usual number of terms, apart from what counts less in a longer passage. */
  length: 0.22,
  /** That nothing is needed, and what is added for a repair or a question. */
  nothing: { message: 5.08, call: 6.39, repair: 3.96, question: 4.24 },
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
