import { expect, it } from "vitest";
import { termWeight } from "../../src/notes/everyday-words.ts";
import { searchTerms } from "../../src/search/index.ts";

const EVERYDAY = `
  able accept account across act actual address affect age ago agree ahead allow alone amount annoy answer appear area
  around arrive ask automatic available away basic beautiful become believe belong best better big bigger bit black
  blank block blue body boring both bottom bring broken brief bunch business busy button call card care carry cause certain
  chance choose click clever cold collect color combine come common compare complain completely concern confuse connect
  consider contain contact content convert corner cost count couple cover crash cut day deal decide deep deliver depend
  describe design desk detail die difference difficult direct double doubt draw drop due early easier easy edge effect
  effort email empty enable end enough enter entire equal especially even event everyone exact except explain extend face
  fact fail fall false far fast favorite feel few field fill final fine fit five fix flow fly force forget form forward
  four free fresh friendly front full fun further future general gone grab green group grow guess guy half hand hang happy
  hard heavy hide high hint hit hold home hope hour huge idea immediate important include increase inside interest involve
  join jump kill know label lack land large late law lead learn least left less let level life light limit link little live
  load local lose lot love low machine major manual many mark matter maximum maybe meaning measure meet mention middle mind
  minimum minute mobile modern moment money month morning most much multiple natural near nearly necessary need negative
  nice night normal notice number obvious occur odd offer office often open opposite original otherwise outside own paper
  parse part particular pass past pay people perfect perhaps permanent person phone photo picture piece place plain play
  please plenty position possible post practice prepare present press pretty prevent price prior private produce promise
  proper protect prove provide public purpose quality quarter quick quiet quite rate rather reach react ready real really
  receive recent record red reduce regular relate rely remain remind remove repeat reply report require rest rid round row
  safe sale same scan scary seem select sell separate serious serve seven several shape share shift short side simply
  since single site size skip sleep slow smart soft sold solve soon sorry space special speed spend split spot stage stand
  stay step stick stop store strange strong stuck stupid subject such sudden suggest suit summer support surprise switch
  tell ten terrible thing think third thousand three throw tidy tiny tired today tomorrow tonight top total touch toward
  track train trick trouble true trust turn twice two typical ugly unable understand unit until upper useful usual valid
  various verify visible visit voice wait walk wall warm waste watch way weak wear week weekend weird whole wide wild win
  winter wonder word world worry worse worst worth wrap year yellow yesterday young zero zone
`;

it("lets everyday words count half, by the stems that they have in a search", () => {
  const weights = new Map(searchTerms(EVERYDAY).map((term) => [term, termWeight(term)]));
  expect([...weights].filter(([, weight]) => weight !== 0.5)).toEqual([]);
  expect(["postgr", "migrat", "webhook"].map(termWeight)).toEqual([1, 1, 1]);
});
