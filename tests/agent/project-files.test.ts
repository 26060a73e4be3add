import { createModelServer, type ModelScript } from '@copydesk/agent/testing'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startCopydesk } from '../support/copydesk.ts'
import { ended, join, signIn } from '../support/client.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))

const call = (name: string, input: Record<string, unknown>) => ({ toolCall: { name, arguments: input } })

async function play(environment: Record<string, string>, instruction: string, script: ModelScript) {
  const model = await createModelServer({ provider: 'anthropic', script })
  const server = await startCopydesk({ ...model.environment, ...environment })
  try {
    const ana = await signIn(server.url, 'Ana')
    const { id } = await ana.create({ markdown: 'Notes' })
    const peer = await join(server.url, ana.token, id)
    const { run } = await ana.ask(id, instruction)
    const finished = await ended(peer, run.id)
    peer.close()
    return finished
  } finally {
    await server.dispose()
    await model.close()
  }
}

test('[PROJ-13] "Read package.json and tell me the project name", with this repository as project', async () => {
  const script: ModelScript = ({ results, messages }) => {
    const said = JSON.stringify(messages)
    if (results.length === 0) {
      return {
        chunks: [
          call('read_file', { path: 'package.json' }),
          call('search_files', { pattern: 'export function defineTool', path: 'packages', filePattern: '*.ts' }),
          // A pattern that the built server's thread answers instead of ripgrep.
          call('search_files', { pattern: '[[:lower:]]+-thread[.]ts', path: 'AGENTS.md' }),
          call('find_files', { pattern: 'AGENTS.md' }),
          call('read_file', { path: '../package.json' }),
          call('read_file', { path: '.git/config' }),
        ],
      }
    }
    const name = /2: .{0,6}name.{0,8}?(\w+)/.exec(said)?.[1] ?? 'unknown'
    expect(said).toContain('result of read_file')
    expect(said).toContain('/define-tool.ts:')
    expect(said).toMatch(/AGENTS\.md:\d+: /)
    expect(said).toContain('AGENTS.md  ')
    return `The project's name is ${name}.`
  }
  const run = await play({ PROJECT_DIR: repository }, 'Read package.json and tell me the project name', script)
  expect(run).toMatchObject({ status: 'completed', answer: "The project's name is copydesk." })
  expect(run.steps.map(({ tool, status }) => `${tool} ${status}`)).toEqual([
    'read_file ok',
    'search_files ok',
    'search_files ok',
    'find_files ok',
    'read_file error',
    'read_file error',
  ])
})

test('[PROJ-8] without a project the prompt names the variable, and a call of the tool is refused', async () => {
  const script: ModelScript = ({ results, system }) => {
    expect(system).toMatch(/read_file[^.;]* \(an operator sets PROJECT_DIR\)/)
    expect(system).not.toContain('The project’s files')
    return results.length === 0 ? { chunks: [call('read_file', { path: 'package.json' })] } : 'There is no project.'
  }
  const run = await play({}, 'Read package.json', script)
  expect(run.steps.map(({ tool, status }) => `${tool} ${status}`)).toEqual(['read_file error'])
  expect(run.answer).toBe('There is no project.')
})
