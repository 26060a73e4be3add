const pairs =
  'teh the, hte the, taht that, adn and, nad and, thier their, recieve receive, recieved received, recieving receiving, beleive believe, ' +
  'acheive achieve, seperate separate, definately definitely, occured occurred, occurence occurrence, untill until, wich which, whcih which, ' +
  'becuase because, becasue because, accomodate accommodate, adress address, enviroment environment, goverment government, ' +
  'neccessary necessary, necesary necessary, refered referred, succesful successful, successfull successful, tommorow tomorrow, ' +
  'wierd weird, writting writing, begining beginning, calender calendar, collegue colleague, commited committed, embarass embarrass, ' +
  'existance existence, foriegn foreign, freind friend, grammer grammar, immediatly immediately, independant independent, ' +
  'knowlege knowledge, maintainance maintenance, noticable noticeable, posession possession, prefered preferred, ' +
  'priviledge privilege, recomend recommend, similiar similar, suprise surprise, truely truly, visable visible, alot a lot, ' +
  'wether whether, langauge language, docuemnt document, lenght length, paralel parallel, usefull useful, wirte write, yuo you'

/** Common misspellings in lower case and their corrections. */
export const misspellings: ReadonlyMap<string, string> = new Map(
  pairs.split(', ').map((pair): [string, string] => [pair.replace(/ .*/, ''), pair.replace(/^\S+ /, '')]),
)

/** Applies the capitalisation of one word to another: `Teh` and `the` make `The`, `TEH` makes `THE`. */
export function matchCapitals(model: string, word: string): string {
  if (model.length > 1 && model === model.toUpperCase() && model !== model.toLowerCase()) return word.toUpperCase()
  const first = model.charAt(0)
  if (first !== first.toUpperCase() || first === first.toLowerCase()) return word
  return word.charAt(0).toUpperCase() + word.slice(1)
}
