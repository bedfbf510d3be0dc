/**
 * How much each kind of shared term says about whether a memory concerns a moment. Fitted by `bench/applied/fit.ts` on the
 * tuning cases: a choice between all passages and showing nothing, whose probabilities follow from these sums.
 */
export const NOTE_WEIGHTS: NoteWeights = {
  /** Words of the user's message: anywhere in the passage, in what it starts with, and in the statement itself. */
  message: { anywhere: 2.40, title: 1.44, own: 0.96 },
  /** The file itself, by its name and by its last directories. */
  file: 0.29,
  /** The file's directory as a whole, and the words of its name that were not counted before. */
  directory: 0.57,
  directoryName: 1.04,
  /** Words and parts of identifiers in the lines that a call reads or writes, without those of the message. */
  word: { anywhere: 1.72, own: 0.65 },
  command: 0.69,
  /** That a statement forbids what a call does. */
  avoided: 0.21,
  /** How much the passage settles something, and whether it does so in general. */
  strength: 0.96,
  general: 0.40,
  /** For each factor of e over the usual number of terms, apart from what counts less in a longer passage. */
  length: 0.23,
  /** That nothing is needed, and what is added for a repair or a question. */
  nothing: { message: 4.96, call: 6.22, repair: 3.93, question: 4.20 },
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
