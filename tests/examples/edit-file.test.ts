import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createModelServer, type ModelScript } from '@copydesk/agent/testing'
import { catalogue } from '@copydesk/tools'
import { afterAll, expect, test } from 'vitest'
import { captureCommand } from '../../scripts/lib/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'copydesk-examples-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A model that looks for a wrong text, reads why it failed, and does it right. */
const script: ModelScript = ({ results }) => {
  const edit = (find: string) => ({ toolCall: { name: 'edit_document', arguments: { find, replace: 'Paris' } } })
  if (results.length === 0) return { chunks: [{ text: 'I correct it. ' }, edit('Lyon')] }
  if (results.length === 1) return { chunks: [edit('Pari')] }
  return `Corrected: ${results[1]?.includes('Paris') ? 'Paris' : 'nothing'}.`
}

test.for([
  ['openai', 'openai'],
  ['anthropic', 'anthropic'],
  ['ai-sdk', 'openai'],
] as const)('the example with %s edits a file', async ([sdk, wire]) => {
  const server = await createModelServer({ provider: wire, script })
  try {
    const file = join(folder, `${sdk}.md`)
    writeFileSync(file, '# Plan\n\nWe meet in Pari.\n')
    const args = ['examples/src/edit-file.ts', sdk, file, 'Correct the misspelling']
    const { code, output } = await captureCommand(process.execPath, args, { env: server.environment })
    expect(code, output).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe('# Plan\n\nWe meet in Paris.\n')
    expect(output).toMatch(
      /I correct it\.\s+\[running\] edit document\s+\[failed\] .*\s+\[running\] edit document\s+\[done\] /,
    )
    expect(output).toContain('Corrected: Paris.')

    const [first, second] = server.requests
    expect(server.requests).toHaveLength(3)
    expect(first).toMatchObject({ lastUser: 'Correct the misspelling', stream: true })
    expect(first?.system).toContain('Plan')
    expect(first?.tools).toEqual(catalogue.map(({ name }) => name))
    expect(second?.results[0]).toMatch(/^Error \(not_found\): /)
  } finally {
    await server.close()
  }
})
