import { readFileSync } from 'node:fs'
import { createProvider } from '@copydesk/agent'
import { createModelServer } from '@copydesk/agent/testing'
import { describe, expect, test } from 'vitest'
import { cases } from './cases/index.ts'
import { describeDifference } from './difference.ts'
import { type EvalCase, groups, type Mistake, type Script } from './eval-case.ts'
import { withResult } from './models-page.ts'
import type { Check, DocumentState, Outcome } from './outcome.ts'
import { playAll } from './play-all.ts'
import { checkOutcome, playCase } from './play-case.ts'
import { type Attempt, describeFailures, describeTable } from './report.ts'
import { readOptions } from './run-options.ts'
import { createScriptPlayer } from './script-player.ts'
import { insertAt } from './scripting.ts'

const pageFile = new URL('../../docs/models.md', import.meta.url)

const options = {
  maxRounds: 8,
  tokenLimit: 200_000,
  timeoutMs: 10_000,
  wait: async () => undefined,
  random: () => 0,
}

/** Plays a case with its script, or its last run with another. */
function play(given: EvalCase, script: Script = given.script): Promise<Outcome> {
  return playCase({ ...given, script }, (turn) => createScriptPlayer(turn.script), options)
}

/** A block that the script left alone; one that a careless model might have touched. */
function bystander({ before, after }: Outcome): string | undefined {
  const both = ({ blocks }: DocumentState): string[] => {
    const accepted = new Set(blocks.accepted)
    return blocks.original.filter((each) => accepted.has(each))
  }
  const now = new Set(both(after))
  const kept = both(before).filter((each) => now.has(each))
  return kept.find((each) => each.length > 3 && !each.startsWith('```') && !each.startsWith('|'))
}

/** The outcome as if one block more had been changed, outright. */
function vandalize(outcome: Outcome, block: string): Outcome {
  const spoil = (text: string): string => text.replace(block, () => `${block.slice(0, -1)}~${block.slice(-1)}`)
  const { after } = outcome
  const blocks = { original: after.blocks.original.map(spoil), accepted: after.blocks.accepted.map(spoil) }
  return { ...outcome, after: { ...after, markdown: spoil(after.markdown), accepted: spoil(after.accepted), blocks } }
}

/** The first call is the mistake; if it is refused, its hint leads to the next call, which succeeds. */
function expectMistake(mistake: Mistake, calls: Outcome['calls']): void {
  const [first, second] = calls
  if (mistake === 'accepted') {
    expect(first, 'the call is taken as it was meant').toMatchObject({ ok: true })
    return
  }
  expect(first).toMatchObject({ ok: false, code: mistake.code, text: expect.stringMatching(mistake.hint) })
  expect(second, 'the call that the hint leads to').toMatchObject({ ok: true })
  expect(
    calls.filter(({ ok }) => !ok),
    'one call more, not several',
  ).toHaveLength(1)
}

function checked(check: Check, outcome: Outcome): string | undefined {
  return check(outcome)
}

const playedLong: ReadonlySet<string> = new Set(['long/typo', 'long/section-away', 'long/everywhere'])

describe('the cases', () => {
  test('are at least 250, each with an id of its own, in every group', () => {
    expect(cases.length).toBeGreaterThanOrEqual(250)
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
    expect(new Set(cases.map(({ group }) => group))).toEqual(new Set(groups))
  })

  // Each command on a long document costs as much as a whole group of others; `pnpm eval` plays all of them.
  const isPlayed = ({ group, id }: EvalCase): boolean => group !== 'long' || playedLong.has(id)
  describe.each(groups)('%s', (group) => {
    test.each(cases.filter((each) => each.group === group && isPlayed(each)))('$id', async (given) => {
      const outcome = await play(given)
      expect(checkOutcome(given, outcome), 'the script does what the command asks for').toBeUndefined()
      if (given.mistake) expectMistake(given.mistake, outcome.calls)

      const idle = { ...outcome, after: outcome.before, calls: [], outside: { files: given.files ?? {}, sent: [] } }
      if (given.wrong) {
        const spoilt = await play(given, given.wrong)
        expect(spoilt.status).toBe('completed')
        expect(checked(given.check, spoilt), 'the check notices a bad model').toBeTruthy()
        expect(checked(given.check, { ...idle, answer: '' }), 'the check notices silence').toBeTruthy()
      } else {
        expect(checked(given.check, idle), 'the check notices that nothing was done').toBeTruthy()
      }

      const block = bystander(outcome)
      if (block !== undefined) {
        const spoilt = checked(given.check, vandalize(outcome, block))
        expect(spoilt, `the check notices another change of ${block}`).toBeTruthy()
      }
    })
  })
})

describe('a run of the eval', () => {
  const attempt: Attempt = {
    id: 'typos/a',
    group: 'typos',
    ask: 'a',
    passed: true,
    changed: true,
    answer: '',
    tools: [],
  }

  test.each(['anthropic', 'openai', 'gemini'] as const)('plays a model behind a local %s server', async (provider) => {
    const server = await createModelServer({
      provider,
      script({ lastUser, results }) {
        if (!lastUser.includes('recieved')) return 'I would rather not.'
        if (results.length > 0) return '- recieved → received'
        const args = { find: 'recieved', replace: 'received' }
        return { chunks: [{ toolCall: { name: 'edit_document', arguments: args } }] }
      },
    })
    try {
      const read = readOptions([], server.environment)
      if (!read.ok) throw new Error(read.message)
      const model = read.options.settings && createProvider(read.options.settings)
      if (!model) throw new Error('no model is configured')
      const chosen = cases.filter(({ id }) => id === 'typos/recieved' || id === 'typos/arrow')
      const told: Attempt[] = []
      const onAttempt = (attempt: Attempt): void => void told.push(attempt)
      const attempts = await playAll(chosen, () => model, { ...options, repeat: 2, onAttempt })
      expect(told).toEqual(attempts)
      expect(attempts.map(({ id, passed }) => [id, passed])).toEqual([
        ['typos/recieved', true],
        ['typos/recieved', true],
        ['typos/arrow', false],
        ['typos/arrow', false],
      ])
      expect(describeTable(model.model, attempts)).toMatch(/typos +2\/4 \(50 %\)\n +all +2\/4/)
      expect(describeFailures(attempts)).toContain('answer: I would rather not.')
    } finally {
      await server.close()
    }
  })

  test('counts as wrong edits only what the agent changed, not what people changed meanwhile', async () => {
    const chosen = cases.filter(({ id }) => id === 'people/types-in-the-sentence')
    const playWith = (script: Script) =>
      playAll(chosen, () => createScriptPlayer(script), { ...options, repeat: 1, onAttempt: () => undefined })
    expect(await playWith(['I did nothing.'])).toMatchObject([{ passed: false, changed: false }])
    expect(await playWith([insertAt('end', 'More.'), 'Added.'])).toMatchObject([{ passed: false, changed: true }])
  })

  test('replaces its row in the page and keeps those of other models', () => {
    const page = '# Models\n\n<!-- eval results: begin -->\n<!-- eval results: end -->\n\nMore.\n'
    const first = withResult(page, 'one', '2026-01-01', [attempt])
    if (!first.ok) throw new Error(first.message)
    const second = withResult(first.page, 'two', '2026-01-02', [attempt, { ...attempt, passed: false }])
    if (!second.ok) throw new Error(second.message)
    const third = withResult(second.page, 'one', '2026-01-03', [attempt])
    if (!third.ok) throw new Error(third.message)
    expect(third.page.match(/^\| one .*$/gm)?.map((line) => line.slice(0, 40))).toEqual([
      expect.stringContaining('| one | 2026-01-03 | 1/1 (100 %)'),
    ])
    expect(third.page).toContain('| two | 2026-01-02 | 1/2 (50 %) | 1 | 1/2 | –')
    expect(third.page.endsWith('\n\nMore.\n')).toBe(true)
    expect(withResult(readFileSync(pageFile, 'utf8'), 'one', '2026-01-01', [attempt]).ok).toBe(true)
    expect(withResult('# Models\n', 'one', '2026-01-01', [attempt]).ok).toBe(false)
  })

  test('reads flags and the variables of the server, and never tells a key', () => {
    const read = readOptions(['--only', 'typos', '--repeat', '3'], {
      AGENT_PROVIDER: 'openai',
      OPENAI_API_KEY: 'k',
      JSON_OUT: '',
    })
    if (!read.ok) throw new Error(read.message)
    expect(read.options).toMatchObject({ only: 'typos', repeat: 3, write: false, jsonOut: undefined })
    expect(read.options.settings).toMatchObject({ provider: 'openai', services: { openai: { apiKey: 'k' } } })
    expect(readOptions(['--repeat', 'often'], {}).ok).toBe(false)
    expect(readOptions(['--unknown'], {}).ok).toBe(false)
    const refused = readOptions([], { OPENAI_BASE_URL: 'secret' })
    expect(refused).toMatchObject({ ok: false, message: expect.stringContaining('OPENAI_BASE_URL') })
    expect(JSON.stringify(refused)).not.toContain('secret')
  })

  test('shows only the lines that differ', () => {
    expect(describeDifference('a\nb\nc', 'a\nx\nc')).toBe('- b\n+ x')
    expect(describeDifference('a', 'a')).toBe('')
  })
})
