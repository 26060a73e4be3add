import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { catalogue } from '../catalogue/index.ts'
import { openHeadlessSession } from '../headless/headless-session.ts'
import { createOffer } from './offer-tools.ts'
import { documentOf, sessionOn, succeed, textHolding } from '../testing/test-document.ts'

const names = (tools: readonly { name: string }[]): string[] => tools.map(({ name }) => name)

test('tools that can do nothing at the moment are left out', () => {
  const offer = createOffer(catalogue, sessionOn(documentOf('Text')))
  const left = names(catalogue).filter((name) => !names(offer()).includes(name))
  expect(left.toSorted()).toEqual([
    'create_file',
    'decide_change',
    'edit_file',
    'edit_table',
    'find_files',
    'list_files',
    'read_changes',
    'read_comments',
    'read_file',
    'read_history',
    'read_selection',
    'read_web_page',
    'reply_to_comment',
    'resolve_comment',
    'search_files',
    'search_image',
    'search_web',
    'undo_changes',
  ])
})

test('they are offered once there is something for them, and stay', async () => {
  const doc = documentOf('Some text')
  const text = textHolding(doc, 'Some')
  let isSelected = true
  const at = (index: number) => Y.createRelativePositionFromTypeIndex(text, index)
  const session = openHeadlessSession({
    doc,
    room: new Y.Doc(),
    mode: 'suggest',
    selection: () => (isSelected ? { anchor: at(0), head: at(4) } : undefined),
  })
  const offer = createOffer(catalogue, session)
  expect(names(offer())).toEqual(expect.arrayContaining(['read_selection']))
  expect(names(offer())).not.toContain('read_changes')
  await succeed(session, 'edit_document', { find: 'Some', replace: 'Any' })
  await succeed(session, 'add_comment', { search: 'text', text: 'Which one?' })
  isSelected = false
  const wanted = ['read_changes', 'decide_change', 'read_comments', 'resolve_comment', 'read_selection']
  expect(names(offer())).toEqual(expect.arrayContaining(wanted))
  session.close()
})
