import { readChanges } from '@copydesk/schema'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { headlessOn } from '../testing/headless.ts'
import { call, markdownOf, readNode, replicaOf } from '../testing/test-document.ts'

const file = join(import.meta.dirname, '../../../../../shared/data/hostile/blns.json')
const hasData = existsSync(file)
if (!hasData) console.warn(`SKIPPED: naughty strings, since ${file} isn't there`)

const markdown = '# T\n\nSome text here.\n\n- item'

/** The document's text after all tools were tried and every suggestion rejected. */
async function tryAll(strings: readonly string[]): Promise<string> {
  const { doc, session } = headlessOn(markdown)
  for (const text of strings) {
    await call(session, 'read_document')
    await call(session, 'add_comment', { block: 1, text })
    await call(session, 'add_comment', { search: text, occurrence: 1, text })
    await call(session, 'reply_to_comment', { commentId: text, text })
    await call(session, 'suggest_replacement', { block: 1, search: 'text', replaceWith: text, occurrence: 'first' })
    await call(session, 'suggest_insertion', { block: 2, text, search: text })
    await call(session, 'suggest_insertion', { block: 0, text })
    await call(session, 'suggest_deletion', { search: text, occurrence: 'last' })
    await call(session, 'highlight_text', { search: text, occurrence: 1, color: text })
    await call(session, 'read_comments', { author: text })
    await call(session, 'decide_change', { changeId: text, decision: 'reject' })
  }
  expect(readNode(replicaOf(doc, 3)).eq(readNode(doc))).toBe(true)
  await call(session, 'decide_change', { all: true, decision: 'reject' })
  expect(readChanges(readNode(doc))).toEqual([])
  return markdownOf(doc)
}

describe.skipIf(!hasData)('naughty strings', () => {
  test('as comments, ids, texts to find and suggestions: nothing throws, rejecting gives the document back', async () => {
    const strings = z.array(z.string()).parse(JSON.parse(readFileSync(file, 'utf8')))
    strings.push('\uD83D', 'a\uDE00b', '\u0000')
    for (let first = 0; first < strings.length; first += 40) {
      expect(await tryAll(strings.slice(first, first + 40))).toBe(markdown)
    }
  })
})
