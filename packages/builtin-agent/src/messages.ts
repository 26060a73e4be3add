import type { Answer, Texts } from './language/texts.ts'
import type { Phrase } from './phrase.ts'

/** What the built-in agent can do. */
export const helpText: Answer = (texts) =>
  [
    texts.helpStart,
    ...texts.examples.map(([, commands]) => `- ${fill(commands, '"X"', texts)}`).toReversed(),
    texts.helpEnd,
  ].join('\n')

/** The answer to what isn't surely understood, in two lines: why nothing was done, and three commands that fit. */
export function declineText(reason: Answer, { text, quotations }: Phrase): Answer {
  const quoted = quotations.find((each) => /\S/.test(each) && each.length <= 40 && !each.includes('\n'))
  return (texts) => {
    const [, fitting = ''] = texts.examples.find(([pattern]) => pattern.test(text)) ?? []
    const said = fill(fitting, quoted === undefined ? texts.someWords : `"${quoted}"`, texts)
    return `${reason(texts)} ${texts.unchanged}\n${texts.youCanSay(said)}`
  }
}

function fill(commands: string, x: string, { otherWords }: Texts): string {
  return commands.replaceAll('"X"', () => x).replaceAll('"Y"', x === '"X"' ? '"Y"' : otherWords)
}
