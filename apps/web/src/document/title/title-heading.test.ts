import { createBindingMetadata, writeFragment } from '@copydesk/schema'
import { parseMarkdown } from '@copydesk/schema/markdown'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { beginsWithTitle, followHeading, titleHeading } from './title-heading.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function opened(title: string, markdown: string, { mayWrite = true } = {}) {
  const doc = new Y.Doc()
  const fragment = doc.getXmlFragment('default')
  const meta = doc.getMap<unknown>('meta')
  writeFragment(fragment, parseMarkdown(markdown).doc, createBindingMetadata())
  meta.set('title', title)
  const onParted = vi.fn<() => void>()
  const stop = followHeading({ fragment, meta, mayWrite: () => mayWrite, onParted })
  const heading = () => (fragment.get(0) as Y.XmlElement).get(0) as Y.XmlText
  return { doc, fragment, meta, onParted, stop, heading }
}

test('[TITLE-2] a text begins with its title if that is its first block, a heading of level 1', () => {
  const begins = (title: string, markdown: string) => {
    const { fragment, meta } = opened(title, markdown)
    return beginsWithTitle(fragment, meta)
  }
  expect(begins('Plan of May', '# Plan  of **May**\n\nText')).toBe(true)
  expect(begins('Plan of May', '## Plan of May')).toBe(false)
  expect(begins('Plan of May', 'Text\n\n# Plan of May')).toBe(false)
  expect(begins('Plan', '# Plan of May')).toBe(false)
  expect(begins('', 'Text')).toBe(false)
  const { fragment, heading } = opened('Plan', '# Plan')
  heading().insert(4, ' B', { insertion: { id: 'a' } })
  expect(titleHeading(fragment)).toBe('Plan')
})

test('[TITLE-3] the title follows the heading at the next pause, or when the page is left', () => {
  const { meta, heading, onParted, stop } = opened('Plan', '# Plan')
  heading().insert(4, ' of')
  heading().insert(7, ' May')
  expect(meta.get('title')).toBe('Plan')
  vi.runAllTimers()
  expect(meta.get('title')).toBe('Plan of May')
  heading().delete(0, heading().length)
  vi.runAllTimers()
  heading().insert(0, 'Report')
  stop()
  expect(meta.get('title')).toBe('Report')
  expect(onParted).not.toHaveBeenCalled()
})

test('[TITLE-3] of a change by others, writers write the title after a while, readers do not', () => {
  const both = [opened('Plan', '# Plan'), opened('Plan', '# Plan', { mayWrite: false })]
  for (const { doc, fragment, meta, onParted } of both) {
    const other = new Y.Doc()
    Y.applyUpdate(other, Y.encodeStateAsUpdate(doc))
    ;((other.getXmlFragment('default').get(0) as Y.XmlElement).get(0) as Y.XmlText).insert(4, ' B')
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(other))
    vi.advanceTimersByTime(900)
    expect(meta.get('title')).toBe('Plan')
    vi.runAllTimers()
    expect(titleHeading(fragment)).toBe('Plan B')
    const isWritten = meta.get('title') === 'Plan B'
    expect(onParted).toHaveBeenCalledTimes(isWritten ? 0 : 1)
  }
  expect(both.map(({ meta }) => meta.get('title'))).toEqual(['Plan B', 'Plan'])
})

test('[TITLE-3] a title that is changed elsewhere, and a text that begins with another block, part them', () => {
  const renamed = opened('Plan', '# Plan')
  renamed.meta.set('title', 'Report')
  const moved = opened('Plan', '# Plan\n\nText')
  moved.fragment.delete(0, 1)
  vi.runAllTimers()
  for (const { onParted } of [renamed, moved]) expect(onParted).toHaveBeenCalledOnce()
  expect([renamed.meta.get('title'), moved.meta.get('title')]).toEqual(['Report', 'Plan'])
})
