import { type Answer, joined, say, sayUnchanged } from './language/answers.ts'
import { compile, inEach, type Language, type Text } from './language/language.ts'
import type { Phrase } from './phrase.ts'

/** Three commands for an instruction, by a pattern that occurs in it; the first one counts, the last fits all. */
export const examples: Readonly<Record<Language, readonly { commands: Text; pattern: RegExp }[]>> = inEach((data) =>
  Object.entries(data.examples).map(([commands, pattern]) => ({
    commands: commands as Text,
    pattern: compile(pattern, data),
  })),
)

/** What the built-in agent can do. */
export const helpText = joined([
  say('I am the built-in agent: I work without a model, and understand plain commands like these:'),
  ...examples.en.map(({ commands }) => joined(['- ', say(commands)], '')).toReversed(),
  say('Select a text, and "this" means it: make this bold, replace this with "Y", comment on this: a text.'),
])

/** The answer to what isn't surely understood, in two lines: why nothing was done, and three commands that fit. */
export function declineText(reason: Answer, { text, quotations }: Phrase): Answer {
  const quoted = quotations.find((each) => /\S/.test(each) && each.length <= 40 && !each.includes('\n'))
  const commands: Answer = (language) => {
    const fitting = examples[language].find(({ pattern }) => pattern.test(text))
    const [x, y] = [quoted ?? say('some words')(language), say('other words')(language)]
    const filled = fitting ? say(fitting.commands)(language) : ''
    return filled.replaceAll('"X"', () => `"${x}"`).replaceAll('"Y"', `"${y}"`)
  }
  return joined([joined([reason, say('I have changed nothing.')], ' '), say('You can say: {commands}', { commands })])
}
