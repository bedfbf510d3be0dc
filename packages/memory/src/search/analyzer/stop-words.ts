/**
 * Words that say nothing about the topic: articles, pronouns, auxiliaries, question words, parts of contractions, and
 * words that introduce a question.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `
  a an the this that these those such some any each every either neither both all another other others same own
  i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
  it its itself they them their theirs themselves one ones someone something anyone anything everyone everything nothing
  am is are was were be been being do does did doing done have has had having can could may might must shall should will would
  ought need
  who whom whose which what when where why how whether whatever whichever whenever wherever
  and or but nor so yet if then else than because since while although though unless until as
  of in on at by for from to into onto with without within about above after again against along among around before behind
  below beneath beside besides between beyond down during except inside near off out outside over past through throughout
  toward towards under up upon via per
  not no yes only just also too very much many more most less least few several quite rather really even ever never always
  often sometimes usually already still here there now once twice
  tell told ask asked asks say says said mention mentioned describe explain summarize summarise discuss discusses discussed
  discussing discussion talk talked talking think thinks thought thoughts according please let lets get gets got
  s t d m o re ve ll don doesn didn isn aren wasn weren hasn haven hadn wouldn couldn shouldn mustn needn ain
  st nd rd th etc eg ie vs
  `
    .trim()
    .split(/\s+/),
);
