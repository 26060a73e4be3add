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

/** The replacement of a text in the capitalisation of a match: `teh` → `the` makes `Teh` `The` and `TEH` `THE`. */
export function inCapitals(old: string, replace: string, match: string): string {
  if (match === old || old !== old.toLowerCase()) return replace
  if (match.length > 1 && match === match.toUpperCase()) return replace.toUpperCase()
  const isCapital = match.charAt(0) !== match.charAt(0).toLowerCase()
  return isCapital ? replace.charAt(0).toUpperCase() + replace.slice(1) : replace
}
