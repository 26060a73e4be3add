import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { call, documentOf, readNode, replicaOf, sessionOn } from './testing/test-document.ts'

const file = join(import.meta.dirname, '../../../../shared/data/hostile/blns.json')
const hasData = existsSync(file)
if (!hasData) console.warn(`SKIPPED: naughty strings, since ${file} isn't there`)

async function tryAll(strings: readonly string[]): Promise<boolean> {
  const doc = documentOf('# T\n\nSome text here.\n\n## S\n\n- item here')
  const session = sessionOn(doc)
  await call(session, 'read_document')
  for (const text of strings) {
    await call(session, 'replace_text', { searchText: 'here', newText: text })
    await call(session, 'replace_text', { searchText: text, newText: 'here' })
    await call(session, 'replace_text', { searchText: text, newText: `$1${text}`, isRegex: true, limit: 1 })
    await call(session, 'apply_formatting', { target: { type: 'text', value: text }, format: { type: 'bold' } })
    const link = { type: 'link', href: text }
    await call(session, 'apply_formatting', { target: { type: 'block', block: 1 }, format: link })
    for (const format of ['markdown', 'html']) {
      const section = { operation: 'replace', sectionIndex: 1, title: text, content: `here ${text}\n\n${text}`, format }
      await call(session, 'update_section', section)
    }
    await call(session, 'update_section', { operation: 'append', title: text, content: text, format: 'html' })
    await call(session, 'update_section', { operation: 'delete', sectionIndex: 2 })
  }
  return readNode(replicaOf(doc, 3)).eq(readNode(doc))
}

describe.skipIf(!hasData)('naughty strings in changing tools', () => {
  test('as text, pattern, title, address and content: nothing throws, the document stays sound', async () => {
    const strings = z.array(z.string()).parse(JSON.parse(readFileSync(file, 'utf8')))
    strings.push('\uD83D', 'a\uDE00b', '\u0000', '\uFDD0$1', '\uFFFC', '<ul><p><li><table>')
    for (let first = 0; first < strings.length; first += 40) {
      expect(await tryAll(strings.slice(first, first + 40))).toBe(true)
    }
  })
})
