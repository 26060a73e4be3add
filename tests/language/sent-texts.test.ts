import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'
import {
  cutOffNote,
  refusedAnswer,
  repetitionAnswer,
  silentAnswer,
  unclosedAnswer,
} from '../../packages/agent/src/loop/loop-messages.ts'
import { counted } from '../../packages/tools/src/common/localizable.ts'
import { failureMeanings } from '../../packages/tools/src/common/result.ts'
import { asIntended } from '../../packages/tools/src/session/commit/change-plan.ts'
import { activityOn } from '../../packages/tools/src/tool/define-tool.ts'
import { root } from '../../scripts/lib/paths.ts'

const catalogues = globSync('apps/web/src/i18n/*.json', { cwd: root }).map((file): [string, Record<string, string>] => [
  basename(file, '.json'),
  JSON.parse(readFileSync(join(root, file), 'utf8')),
])

const failureTexts: Record<string, Record<string, string>> = Object.fromEntries(
  globSync('apps/web/src/i18n/failures/*.json', { cwd: root }).map((file): [string, Record<string, string>] => [
    basename(file, '.json'),
    JSON.parse(readFileSync(join(root, file), 'utf8')),
  ]),
)

const serverSources = '{apps/server,packages/{agent,builtin-agent,protocol,tools}}/src/**/*.ts'

function sourcesOf(...patterns: string[]): string[] {
  const files = globSync(patterns, { cwd: root }).filter((file) => !file.includes('.test.'))
  return files.map((file) => readFileSync(join(root, file), 'utf8'))
}

// Functions of other modules have this name, too.
const isNoun = (text: string): boolean => /^[a-z ]+$/.test(text)

/** What is between quotation marks in a line; more where comments have apostrophes. */
function literalsOf(source: string): string[] {
  return [...source.matchAll(/(?=(['"])(.*?)\1)/g)].map(([, , text]) => text ?? '')
}

/** The texts without values that an argument can be. */
function textsOf(given: ESTree.Argument): string[] {
  if (given.type === 'ConditionalExpression') return [...textsOf(given.consequent), ...textsOf(given.alternate)]
  return given.type === 'Literal' && typeof given.value === 'string' ? [given.value] : []
}

/** The keys of all texts that the server sends as `Localizable`. */
const failed = new Set<string>()
// What isn't there: those that the catalogue lacks have words by their code.
const said = new Set<string>()
const sent = readSentKeys()
function readSentKeys(): string[] {
  const keys: string[] = Object.values(failureMeanings)
  const visitor = new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== 'Identifier' || tag.name !== 'localizable') return
      const parts = quasi.quasis.map(({ value }) => value.cooked ?? '')
      keys.push(parts.reduce((before, part, index) => `${before}{${index - 1}}${part}`))
    },
    CallExpression({ callee, arguments: given }) {
      const texts = given.flatMap((each) =>
        each.type === 'Literal' && typeof each.value === 'string' ? each.value : [],
      )
      const [text = ''] = texts
      if (callee.type === 'Identifier' && callee.name === 'failure')
        // The last text without values, about pairs, has braces of its own.
        for (const each of given.slice(1, 3)) for (const said of textsOf(each)) if (!/[{}]/.test(said)) failed.add(said)
      if (callee.type !== 'Identifier' || texts.length === 0) return
      if (callee.name === 'noSuch') said.add(`There is no such ${text}.`)
      if (callee.name === 'counted' && texts.every(isNoun)) keys.push(counted(1, ...(texts as [string])).key)
      if (callee.name === 'activityOn') keys.push(activityOn(text, undefined).key, activityOn(text, 'x').key)
    },
  })
  for (const source of sourcesOf('{apps/server,packages/tools}/src/**/*.ts'))
    visitor.visit(parseSync('source.ts', source).program)
  return [...new Set(keys.flatMap((key) => [key, asIntended({ key, values: [] }).key]))]
}

test.each(catalogues)('[LANG-2] %s has its texts in order, and none that nothing shows', (_language, texts) => {
  const keys = Object.keys(texts)
  expect(keys).toEqual(keys.toSorted())
  const panelTexts = 'packages/agent-panel/src/language/texts.ts'
  const sources = sourcesOf('apps/web/src/**/*.{ts,tsx}', panelTexts, serverSources)
  const literals = new Set([...sent, ...said, ...sources.flatMap(literalsOf)])
  expect(keys.filter((key) => !literals.has(key))).toEqual([])
})

test.each(catalogues)('[LANG-8] %s has what the agent does and did', (language, texts) => {
  const keys = sent
  const all = { ...failureTexts[language], ...texts }
  expect(keys).toEqual(
    expect.arrayContaining(['Reading…', 'Commenting…', 'Editing “{0}”…', 'Moved "{0}"', 'Move "{0}"', 'Not allowed']),
  )
  expect(keys).toContain('{0, plural, one {# match} other {# matches}}')
  expect([...keys, ...failed].filter((key) => !Object.hasOwn(all, key))).toEqual([])
})

test.each(catalogues)('[LANG-8] %s has the sentences that the agent loop adds to answers', (language, texts) => {
  const keys = [unclosedAnswer('{0}'), repetitionAnswer('{0}'), refusedAnswer, silentAnswer, cutOffNote]
  const all = { ...failureTexts[language], ...texts }
  const [source = ''] = sourcesOf('apps/web/src/chat/runs/run-view.ts')
  expect(keys.filter((key) => !Object.hasOwn(all, key) || !source.includes(`'${key}'`))).toEqual([])
})

test.each(Object.entries(failureTexts))(
  '[LANG-2] %s has why calls fail in order, and nothing else',
  (_language, texts) => {
    const keys = Object.keys(texts)
    expect(keys).toEqual(keys.toSorted())
    const literals = new Set([...sent, ...failed, ...sourcesOf(serverSources).flatMap(literalsOf)])
    expect(keys.filter((key) => !literals.has(key))).toEqual([])
    const valuesOf = (text: string): string => [...new Set(text.match(/\{\d+\}/g))].toSorted().join(' ')
    expect(Object.entries(texts).filter(([key, text]) => valuesOf(key) !== valuesOf(text))).toEqual([])
  },
)

// Problems of requests that no page sends.
const ofPrograms = new Set([
  'Give a name, a parent or inherits.',
  'Give a path of this server.',
  'Give a quote or a selection.',
  'Give a title, an agentMode, a font, a folder or starred.',
  'Give an id or an email.',
  'Give editorsShare or inherits.',
  'The id of a conversation has 1 to 64 letters, digits, _ and -.',
])

test.each(catalogues)('[LANG-4] %s has the problems of values that people enter in forms', (_language, texts) => {
  const source = sourcesOf('packages/protocol/src/**/*.ts').join('\n')
  const problems = literalsOf(source).filter((text) => /^[A-Z].* .*\.$/.test(text) && !ofPrograms.has(text))
  expect(problems).toEqual(expect.arrayContaining(['A handle has at least 2 characters.', 'The picture is one emoji.']))
  expect(problems.filter((text) => !Object.hasOwn(texts, text))).toEqual([])
})
