import { fenceAsData } from '../fence.ts'

const closingStart = 'This run has reached its limit of '

/** The instruction to the model for the closing call without tools, when a limit ends the run. */
export function closingInstruction(reason: string): string {
  return (
    `${closingStart}${reason}, and tools are no longer available. In a few short bullets, say what was done ` +
    'and what is left to do. Do not claim anything that the tool results above do not show.'
  )
}

/** Whether a message is that instruction and not from a person. */
export function isClosingInstruction(text: string): boolean {
  return text.startsWith(closingStart)
}

/** The answer of a run that reached a limit and whose model could not summarise the remaining work. */
export function unclosedAnswer(reason: string): string {
  return `I stopped here because the ${reason} of this run are used up. What I changed so far stays; the rest is not done.`
}

/** The answer of a run that repeated itself. */
export function repetitionAnswer(tool: string): string {
  const reason = `I stopped because I called ${tool} three times in the same way and got the same result each time.`
  return `${reason} Please say it in other words, or point me to the place.`
}

/** The answer if a model declined without any text. */
export const refusedAnswer = 'The model declined to answer this.'

/** The answer if a model ended without any text in the whole run. */
export const silentAnswer = 'The model finished without saying anything.'

/** Appended to an answer that hit the output limit. */
export const cutOffNote = '(The answer was cut off at the output limit.)'

/** Appended to the system prompt if the model refuses tools. */
export const wordsOnlyNote =
  'No tools are available in this run, so you can neither read nor change the document. Answer in words, say plainly that ' +
  'you could not change anything, and give the wording that the person can put in themselves.'

/** The instruction to a run that reached its limit, when a person grants it the same number of rounds again. */
export const continueInstruction = 'Go on.'

/** The result of a call that a person rejected, for the model. */
export function rejectedText(by: string, reason: string | undefined): string {
  const why = reason?.trim()
    ? `Their reason:\n${fenceAsData(`reason of ${by}`, reason.trim())}`
    : 'They gave no reason.'
  return (
    `Error (rejected): User rejected changes.\nNothing was changed. ${why}\n` +
    "Ask what they want instead; don't propose the same again."
  )
}

const longestArguments = 8_000

/** The prefix of the result of a call whose arguments a person changed before approval; long ones are cut. */
export function changedArgumentsNote(by: string, given: Record<string, unknown>): string {
  const text = JSON.stringify(given)
  // A person may have written a whole file.
  const cut = text.length > longestArguments ? `${text.slice(0, longestArguments).toWellFormed()}…` : text
  const shown = fenceAsData(`arguments by ${by}`, cut)
  return `A person approved this call with other arguments than yours, and these were carried out:\n${shown}\n`
}
