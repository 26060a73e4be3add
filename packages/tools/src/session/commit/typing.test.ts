import * as Y from 'yjs'
import { expect, test } from 'vitest'
import { openHeadlessSession } from '../../headless/headless-session.ts'
import { documentOf, sessionOn, succeed, textHolding } from '../../testing/test-document.ts'

test.each(['server', 'headless'])('reads and results name the blocks in which others are typing, %s', async (kind) => {
  const doc = documentOf('one\n\ntwo\n\nthree')
  const at = Y.createRelativePositionFromTypeIndex(textHolding(doc, 'two'), 2)
  let carets = [{ name: 'Bob', caret: { anchor: at, head: at } }]
  const typing = () => carets
  const session = kind === 'server' ? sessionOn(doc, { typing }) : openHeadlessSession({ doc, typing })
  const note = '(Typing right now: Bob in [1]. The text there may change; make only small edits in it.)'
  expect((await succeed(session, 'read_document')).text).toContain(note)
  expect((await succeed(session, 'read_document', { from: 2 })).text).not.toContain('Typing')
  expect((await succeed(session, 'edit_document', { find: 'two', replace: 'zwei' })).text).toContain(note)
  expect((await succeed(session, 'edit_document', { find: 'one', replace: 'eins' })).text).not.toContain('Typing')
  carets = []
  expect((await succeed(session, 'read_document')).text).not.toContain('Typing')
})
