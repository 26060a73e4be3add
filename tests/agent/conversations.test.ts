import { createModelServer, type ModelScript } from '@copydesk/agent/testing'
import type { Change, Thread } from '@copydesk/protocol'
import { expect, test } from 'vitest'
import { startCopydesk } from '../support/copydesk.ts'
import { ended, join, signIn, type TestPeer, type TestPerson } from '../support/client.ts'

/** A dollar sign could begin a formula, so the export escapes it. */
const exported = (markdown: string): string => `${markdown.replaceAll('$', '\\$')}\n`

const contract = [
  '# Service agreement',
  'Between us.',
  '## Scope',
  'All of it.',
  '## Fees',
  'Monthly.',
  '## Liability',
  'Liability is limited to $5M in each year. Claims end after 30 days.',
].join('\n\n')

type Scene = { ana: TestPerson; id: string; peer: TestPeer }

async function converse(markdown: string, script: ModelScript, play: (scene: Scene) => Promise<void>): Promise<void> {
  const model = await createModelServer({ provider: 'anthropic', script })
  const server = await startCopydesk(model.environment)
  try {
    const ana = await signIn(server.url, 'Ana')
    const { id } = await ana.create({ markdown })
    const peer = await join(server.url, ana.token, id)
    await play({ ana, id, peer })
    peer.close()
  } finally {
    await server.dispose()
    await model.close()
  }
}

const call = (name: string, input: Record<string, unknown>) => ({ toolCall: { name, arguments: input } })

test('[RUN-7] "review section 3 for legal issues" leaves two comments, "fix the first one, change it to $500k" one tracked change', async () => {
  const script: ModelScript = ({ lastUser, results, messages }) => {
    if (lastUser.includes('review')) {
      if (results.length === 0) return { chunks: [call('get_document', { sectionIndex: 3 })] }
      if (results.length > 1) return 'I left two comments: on the cap of $5M and on the 30 days.'
      return {
        chunks: [
          call('add_comment', { search: '$5M', text: 'The cap is high.' }),
          call('add_comment', { search: '30 days', text: 'This is short.' }),
        ],
      }
    }
    // The earlier conversation says what "the first one" is.
    expect(JSON.stringify(messages)).toContain('I left two comments')
    if (results.length === 0) return { chunks: [call('read_comments', {})] }
    if (results.length === 1) return { chunks: [call('suggest_replacement', { search: '$5M', replaceWith: '$500k' })] }
    return 'I suggested $500k.'
  }
  await converse(contract, script, async ({ ana, id, peer }) => {
    const first = await ana.ask(id, 'review section 3 for legal issues')
    expect((await ended(peer, first.run.id)).status).toBe('completed')
    const { threads } = (await ana.call<{ threads: Thread[] }>('GET', `/api/documents/${id}/threads`)).body
    expect(threads.map(({ quote, comments }) => [quote, comments.map(({ text }) => text)])).toEqual([
      ['$5M', ['The cap is high.']],
      ['30 days', ['This is short.']],
    ])
    expect(threads[0]?.comments[0]?.author.kind).toBe('agent')
    expect(await ana.markdown(id)).toBe(exported(contract))

    const second = await ana.ask(id, 'fix the first one, change it to $500k')
    expect((await ended(peer, second.run.id)).status).toBe('completed')
    const { changes } = (await ana.call<{ changes: Change[] }>('GET', `/api/documents/${id}/changes`)).body
    expect(changes).toHaveLength(1)
    expect(changes[0]).toMatchObject({ type: 'replacement', run: second.run.id, author: { kind: 'agent' } })
    expect(await ana.markdown(id)).toBe(exported(contract))
    const address = `/api/documents/${id}/export?format=html&changes=accepted`
    expect((await ana.call<string>('GET', address)).body).toContain('limited to $500k in')
    const accepted = await ana.call('POST', `/api/documents/${id}/changes/${changes[0]?.id}`, { decision: 'accept' })
    expect(accepted.status).toBeLessThan(300)
    expect(await ana.markdown(id)).toBe(exported(contract.replace('$5M', '$500k')))
    const left = (await ana.call<{ threads: Thread[] }>('GET', `/api/documents/${id}/threads`)).body.threads
    expect(left.map(({ orphaned }) => orphaned)).toEqual([false, false])
  })
})

test('[RUN-7] "write an introduction and make it a heading 2" works in one run', async () => {
  const script: ModelScript = ({ results }) => {
    if (results.length === 0) {
      const position = { type: 'relative', anchor: 'Service agreement', placement: 'after' }
      return { chunks: [call('insert_text', { position, content: '\n\nIntroduction\n\nThis is what we agreed on.' })] }
    }
    if (results.length > 1) return 'Done.'
    const target = { type: 'text', value: 'Introduction' }
    return { chunks: [call('apply_formatting', { target, format: { type: 'heading', level: 2 } })] }
  }
  await converse('# Service agreement\n\nBetween us.', script, async ({ ana, id, peer }) => {
    const { run } = await ana.ask(id, 'write an introduction and make it a heading 2')
    const done = await ended(peer, run.id)
    expect(done).toMatchObject({ status: 'completed', steps: [{ status: 'ok' }, { status: 'ok' }] })
    const expected = '# Service agreement\n\n## Introduction\n\nThis is what we agreed on.\n\nBetween us.\n'
    expect(await ana.markdown(id)).toBe(expected)
    expect(done.changedBlocks).toContainEqual({ before: '', after: 'This is what we agreed on.' })
    await ana.call('POST', `/api/documents/${id}/runs/${run.id}/undo`, {})
    expect(await ana.markdown(id)).toBe('# Service agreement\n\nBetween us.\n')
  })
})

test('[RUN-25] a later turn knows what the earlier one changed, and undoes one step of it exactly', async () => {
  let known = ''
  const script: ModelScript = ({ lastUser, results, messages }) => {
    if (lastUser.includes('shorten')) {
      if (results.length > 0) return 'Both are shorter.'
      return {
        chunks: [
          call('edit_document', { find: 'very very long', replace: 'long' }),
          call('edit_document', { find: 'quite **bold** indeed', replace: 'bold' }),
        ],
      }
    }
    known = JSON.stringify(messages)
    if (results.length === 0) return { chunks: [call('read_history', { run: 1 })] }
    if (results.length === 1) return { chunks: [call('undo_changes', { run: 1, step: 2 })] }
    return 'The second one is back.'
  }
  const before = 'A very very long line.\n\nIt is quite **bold** indeed.\n'
  await converse(before, script, async ({ ana, id, peer }) => {
    const first = await ana.ask(id, 'shorten both lines')
    expect((await ended(peer, first.run.id)).status).toBe('completed')
    expect(await ana.markdown(id)).toBe('A long line.\n\nIt is bold.\n')
    const second = await ana.ask(id, 'put the second one back exactly as it was')
    const run = await ended(peer, second.run.id)
    expect(run.steps.map(({ tool, status }) => `${tool} ${status}`)).toEqual(['read_history ok', 'undo_changes ok'])
    expect(await ana.markdown(id)).toBe('A long line.\n\nIt is quite **bold** indeed.\n')
  })
  expect(known).toMatch(/what you changed in run 1[^]*A very very long line\..{5,9}A long line\./)
})

test('[RUN-26] a plan is kept with the run, as it was shown last', async () => {
  const plan = (...states: string[]) =>
    call('update_plan', { items: states.map((state, index) => ({ text: `Part ${index + 1}`, state })) })
  const script: ModelScript = ({ results }) => {
    const turns = [plan('doing', 'open'), plan('done', 'doing'), plan('done', 'done')]
    const next = turns[results.length]
    return next ? { chunks: [next] } : 'All parts are done.'
  }
  await converse('Some words.', script, async ({ ana, id, peer }) => {
    const { run } = await ana.ask(id, 'do all parts')
    const { plan: shown, steps } = await ended(peer, run.id)
    expect(steps.map(({ summary }) => summary)).toEqual(['Plan: 0 of 2 done', 'Plan: 1 of 2 done', 'Plan: 2 of 2 done'])
    expect(shown).toEqual([
      { text: 'Part 1', state: 'done' },
      { text: 'Part 2', state: 'done' },
    ])
  })
})
