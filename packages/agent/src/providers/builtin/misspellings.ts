const pairs =
  'teh the, hte the, taht that, adn and, nad and, thier their, recieve receive, recieved received, recieving receiving, ' +
  'beleive believe, acheive achieve, acheived achieved, seperate separate, seperately separately, definately definitely, definitly definitely, ' +
  'occured occurred, occurence occurrence, occuring occurring, untill until, wich which, whcih which, becuase because, ' +
  'becasue because, accomodate accommodate, adress address, enviroment environment, goverment government, neccessary necessary, ' +
  'necesary necessary, publically publicly, refered referred, succesful successful, successfull successful, tommorow tomorrow, ' +
  'tommorrow tomorrow, wierd weird, writting writing, begining beginning, calender calendar, collegue colleague, commited committed, ' +
  'concious conscious, dependant dependent, embarass embarrass, existance existence, foriegn foreign, fourty forty, freind friend, ' +
  'grammer grammar, harrass harass, immediatly immediately, independant independent, knowlege knowledge, liason liaison, ' +
  'maintainance maintenance, millenium millennium, noticable noticeable, persue pursue, posession possession, prefered preferred, ' +
  'priviledge privilege, reccomend recommend, recomend recommend, rythm rhythm, sieze seize, similiar similar, suprise surprise, ' +
  'truely truly, visable visible, alot a lot, aswell as well, wether whether, langauge language, docuemnt document, ' +
  'lenght length, heigth height, paralel parallel, transfered transferred, usefull useful, wirte write, yuo you, doesnt doesn’t, dont don’t'

/** Common misspellings in lower case and their corrections; longer words also with a final s. */
export const misspellings: ReadonlyMap<string, string> = new Map(
  pairs.split(', ').flatMap((pair): [string, string][] => {
    const space = pair.indexOf(' ')
    const [wrong, right] = [pair.slice(0, space), pair.slice(space + 1)]
    const takesS = wrong.length >= 5 && /^[a-z]*[^s]$/.test(right)
    return takesS
      ? [
          [wrong, right],
          [`${wrong}s`, `${right}s`],
        ]
      : [[wrong, right]]
  }),
)

/** Applies the capitalisation of one word to another: `Teh` and `the` make `The`, `TEH` makes `THE`. */
export function matchCapitals(model: string, word: string): string {
  if (model.length > 1 && model === model.toUpperCase() && model !== model.toLowerCase()) return word.toUpperCase()
  const first = model.charAt(0)
  if (first !== first.toUpperCase() || first === first.toLowerCase()) return word
  return word.charAt(0).toUpperCase() + word.slice(1)
}
