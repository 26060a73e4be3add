import { fenceAsData } from '../fence.ts'

const closingStart = 'This run has reached its limit of '

/** What the model is told when a limit ends the run, in the call that has no tools. */
export function closingInstruction(reason: 'rounds' | 'tokens'): string {
  return (
    `${closingStart}${reason}, and tools are no longer available. In a few short bullets, say what was done ` +
    'and what is left to do. Do not claim anything that the tool results above do not show.'
  )
}

/** Whether a message is that instruction and not a person's. */
export function isClosingInstruction(text: string): boolean {
  return text.startsWith(closingStart)
}

/** The answer of a run that reached a limit and whose model could not say what is left. */
export function unclosedAnswer(reason: 'rounds' | 'tokens'): string {
  return `I stopped here because the ${reason} of this run are used up. What I changed so far stays; the rest is not done.`
}

/** The answer of a run that went round in circles. */
export function repetitionAnswer(tool: string): string {
  const reason = `I stopped because I called ${tool} three times in the same way and got the same result each time.`
  return `${reason} Please say it in other words, or point me to the place.`
}

/** The answer where a model declined without a word. */
export const refusedAnswer = 'The model declined to answer this.'

/** The answer where a model ended without a word in the whole run. */
export const silentAnswer = 'The model finished without saying anything.'

/** What is added to an answer that hit the output limit. */
export const cutOffNote = '(The answer was cut off at the output limit.)'

/** What the system prompt gains when the model turned out to refuse tools. */
export const wordsOnlyNote =
  'No tools are available in this run, so you can neither read nor change the document. Answer in words, say plainly that ' +
  'you could not change anything, and give the wording that the person can put in themselves.'

/** What a run that reached its limit is told when a person gives it as many rounds again. */
export const continueInstruction = 'Go on.'

/** The result of a call that a person rejected, for the model. */
export function rejectedText(by: string, reason: string | undefined): string {
  const why = reason?.trim()
    ? `Their reason:\n${fenceAsData(`reason of ${by}`, reason.trim())}`
    : 'They gave no reason.'
  return (
    `Error (rejected): a person rejected this call.\nNothing was changed. ${why}\n` +
    "Ask what they want instead; don't propose the same again."
  )
}

/** What stands before the result of a call whose arguments a person changed before they approved it. */
export function changedArgumentsNote(by: string, given: Record<string, unknown>): string {
  const shown = fenceAsData(`arguments by ${by}`, JSON.stringify(given))
  return `A person approved this call with other arguments than yours, and these were carried out:\n${shown}\n`
}
