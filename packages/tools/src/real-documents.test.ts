import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { serializeBlock } from '@copydesk/schema/markdown'
import { describe, expect, test } from 'vitest'
import { documentOf, readNode, sessionOn, succeed } from './testing/test-document.ts'

const folder = join(import.meta.dirname, '../../../../shared/data/markdown')
const hasData = existsSync(folder)
if (!hasData) console.warn(`SKIPPED: editing real documents, since ${folder} isn't there`)
// The longest take seconds each to parse and show nothing else.
const isTestable = (name: string): boolean => name.endsWith('.md') && statSync(join(folder, name)).size < 130_000
const files = hasData ? readdirSync(folder).filter(isTestable) : []

const word = /\p{L}{3,}/u

describe.skipIf(!hasData)('real documents', () => {
  test.each(files)(
    '%s: editing one block leaves every other as it was',
    async (name) => {
      const doc = documentOf(readFileSync(join(folder, name), 'utf8'))
      const session = sessionOn(doc)
      const read = session.view()
      if (!read.ok) throw new Error(read.text)
      const original = readNode(doc)
      const before = original.content.content.map((node) => serializeBlock(node))
      const editable = read.view.blocks.filter(({ kind, node }) => kind === 'text' && word.test(node.textContent))
      const targets = [0.1, 0.5, 0.9].flatMap((share) => editable[Math.floor(editable.length * share)] ?? [])
      for (const target of targets) {
        const find = word.exec(target.node.textContent)?.[0] ?? ''
        const input = { block: session.show(target), find, replace: `${find}XQ`, occurrence: 1 }
        await succeed(session, 'edit_document', input)
      }
      const after = readNode(doc).content.content.map((node) => serializeBlock(node))
      expect(after).toHaveLength(before.length)
      const touched = new Set(targets.map((target) => original.resolve(target.pos + 1).index(0)))
      const changed = after.flatMap((text, index) => (text === before[index] ? [] : [index]))
      expect(new Set(changed)).toEqual(touched)
      for (const index of changed) expect(after[index]?.replaceAll('XQ', '')).toBe(before[index])
    },
    30_000,
  )
})
