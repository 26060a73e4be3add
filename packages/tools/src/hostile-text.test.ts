import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { call, documentOf, readNode, replicaOf, sessionOn } from './testing/test-document.ts'

const file = join(import.meta.dirname, '../../../../shared/data/hostile/blns.json')
const hasData = existsSync(file)
if (!hasData) console.warn(`SKIPPED: naughty strings, since ${file} isn't there`)

async function tryAll(strings: readonly string[]): Promise<boolean> {
  const doc = documentOf('# T\n\nSome text here.\n\n- item')
  const session = sessionOn(doc)
  await call(session, 'read_document')
  for (const text of strings) {
    await call(session, 'insert_text', { position: { type: 'block', block: 1, placement: 'after' }, content: text })
    await call(session, 'edit_document', { find: 'here', replace: text, block: 1 })
    await call(session, 'edit_document', { find: text, replace: 'here', block: 1, occurrence: 'first' })
    await call(session, 'search_document', { query: text, isRegex: true })
    await call(session, 'edit_document', { block: 'frontmatter', find: text, replace: text })
    await call(session, 'read_document')
  }
  return readNode(replicaOf(doc, 3)).eq(readNode(doc))
}

describe.skipIf(!hasData)('naughty strings', () => {
  test('as content, text to find, pattern and replacement: nothing throws, the document stays sound', async () => {
    const strings = z.array(z.string()).parse(JSON.parse(readFileSync(file, 'utf8')))
    strings.push('\uD83D', 'a\uDE00b', '\u0000')
    for (let first = 0; first < strings.length; first += 40) {
      expect(await tryAll(strings.slice(first, first + 40))).toBe(true)
    }
  })
})
