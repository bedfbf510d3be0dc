/** Forms that no stemmer finds, each line with the base form first. Forms that are also other words are left out. */
const FORMS = `
  become became
  begin began begun
  bite bitten
  bleed bled
  blow blew blown
  break broke broken
  breed bred
  bring brought
  build built
  burn burnt
  buy bought
  catch caught
  child children
  choose chose chosen
  come came
  creep crept
  deal dealt
  dig dug
  draw drew drawn
  dream dreamt
  drink drank drunk
  drive drove driven
  eat ate eaten
  fall fell fallen
  feed fed
  feel felt
  fight fought
  find found
  flee fled
  fly flew flown
  foot feet
  forbid forbade forbidden
  forget forgot forgotten
  forgive forgave forgiven
  freeze froze frozen
  give gave given
  go went gone
  grow grew grown
  hang hung
  hear heard
  hide hid hidden
  hold held
  keep kept
  know knew known
  lead led
  learn learnt
  lose lost
  make made
  man men
  mean meant
  meet met
  mouse mice
  pay paid
  ride rode ridden
  ring rang rung
  rise risen
  run ran
  see saw seen
  sell sold
  send sent
  shake shook shaken
  shine shone
  show shown
  sing sang sung
  sink sank sunk
  sit sat
  sleep slept
  speak spoke spoken
  spend spent
  spin spun
  stand stood
  steal stole stolen
  stick stuck
  strike struck
  swear swore sworn
  sweep swept
  swim swam swum
  take took taken
  teach taught
  tear tore torn
  throw threw thrown
  tooth teeth
  understand understood
  wake woke woken
  wear wore worn
  weave wove woven
  weep wept
  wife wives
  win won
  woman women
  write wrote written
`;

/** The base form of each irregular form. */
export const BASE_FORMS: ReadonlyMap<string, string> = new Map(
  FORMS.trim()
    .split("\n")
    .flatMap((line) => {
      const [base = "", ...forms] = line.trim().split(" ");
      return forms.map((form) => [form, base] as const);
    }),
);
