import { contentTypes, createBindingMetadata, readFragment, schema } from '@copydesk/schema'
import { parseMarkdown } from '@copydesk/schema/markdown'
import type { Node } from 'prosemirror-model'
import { Transform } from 'prosemirror-transform'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { documentOf, documentOfNode, readNode } from '../../testing/test-document.ts'
import { hashOfJson } from './y-types.ts'
import { createFragmentReader } from '../../document/reader.ts'
import { applyTransform } from './write-steps.ts'

const markdown = [
  '# Title',
  'one **two** three',
  '- a\n- b',
  '| h | i |\n| --- | --- |\n| j | k |',
  '```js\ncode\n```',
  'last',
].join('\n\n')

/**
 * Applies `build` to a document of this markdown, with and without known positions of its children, and checks that Yjs
 * then reads the same document.
 */
function play(build: (transform: Transform) => void, source = markdown) {
  playAlong(build, source)
  const doc = documentOf(source)
  const fragment = doc.getXmlFragment(contentTypes.fragment)
  const metadata = createBindingMetadata()
  const read = readFragment(fragment, schema, metadata.mapping)
  if (!read.ok) throw new Error('unreadable')
  const transform = new Transform(read.doc)
  build(transform)
  const types = new Set(fragment.toArray())
  const before = Y.encodeStateVector(doc)
  doc.transact(() => applyTransform(fragment, transform, { metadata }))
  expect(readNode(doc).toJSON()).toEqual(transform.doc.toJSON())
  const kept = fragment.toArray().filter((type) => types.has(type)).length
  return { kept, bytes: Y.encodeStateAsUpdate(doc, before).byteLength, doc }
}

function playAlong(build: (transform: Transform) => void, source: string): void {
  const doc = documentOf(source)
  const fragment = doc.getXmlFragment(contentTypes.fragment)
  const reader = createFragmentReader(doc, fragment)
  const read = reader.read()
  if (!read.ok) throw new Error(read.text)
  const transform = new Transform(read.view.doc)
  build(transform)
  doc.transact(() => applyTransform(fragment, transform, reader))
  expect(readNode(doc).toJSON()).toEqual(transform.doc.toJSON())
  const now = reader.read()
  expect(now.ok && now.view.doc.toJSON()).toEqual(transform.doc.toJSON())
  reader.close()
}

function endOf(doc: Node, text: string): number {
  let found = -1
  doc.descendants((node, pos) => {
    if (node.isText && node.text?.includes(text)) found = pos + node.text.indexOf(text) + text.length
  })
  return found
}

describe('applyTransform', () => {
  test('marks are set and removed without touching any type', () => {
    const bold = schema.marks.bold!
    const { kept } = play((tr) => tr.addMark(3, endOf(tr.doc, ' three'), bold.create()).removeMark(9, 14, bold))
    expect(kept).toBe(6)
  })

  test('marks that overlap with their own kind are stored as the editor stores them', () => {
    const mark = schema.marks.deletion!.create({ id: 'x1' })
    const { doc } = play((tr) => tr.addMark(9, 12, mark))
    const editors = documentOfNode(readNode(doc))
    const attributesOf = (each: Y.Doc) => JSON.stringify(each.getXmlFragment(contentTypes.fragment).get(1).toString())
    expect(attributesOf(doc)).toBe(attributesOf(editors))
    expect(attributesOf(doc)).toContain(`deletion--${hashOfJson(mark.toJSON())}`)
  })

  test('attributes of blocks are written alone', () => {
    const { kept, bytes } = play((tr) =>
      tr.setNodeMarkup(0, undefined, { level: 3 }).setNodeAttribute(0, 'threads', 't1'),
    )
    expect(kept).toBe(6)
    expect(bytes).toBeLessThan(90)
  })

  test('whole blocks are put in and taken out between the others', () => {
    const added = parseMarkdown('## New\n\n- x **y**').doc.content
    const { kept } = play((tr) => {
      tr.insert(7, added)
      tr.delete(0, 7)
    })
    expect(kept).toBe(5)
  })

  test('an empty fragment takes a first block', () => {
    const { doc } = play((tr) => tr.insert(0, parseMarkdown('hello').doc.content), '')
    expect(readNode(doc).textContent).toBe('hello')
  })

  test('what has no form of its own is written by comparison', () => {
    expect(play((tr) => tr.split(endOf(tr.doc, 'one'))).kept).toBe(6)
    play((tr) => tr.setBlockType(9, 9, schema.nodes.heading!, { level: 2 }))
    play((tr) => {
      const range = tr.doc.resolve(9).blockRange()
      if (range) tr.wrap(range, [{ type: schema.nodes.blockquote! }])
    })
  })

  test('several kinds of steps follow each other in one transaction', () => {
    const { kept } = play((tr) => {
      tr.insert(8, schema.text('zero '))
      tr.addMark(8, 12, schema.marks.italic!.create())
      tr.split(10)
      tr.insert(0, parseMarkdown('first').doc.content)
      tr.setNodeAttribute(7, 'level', 2)
      tr.delete(tr.doc.content.size - 6, tr.doc.content.size)
    })
    expect(kept).toBeGreaterThan(3)
  })

  test('many steps within blocks are written where they belong while the blocks before them grow', () => {
    const { kept } = play((tr) => {
      for (const text of ['Title', 'three', 'j', 'code', 'Title', 'b']) {
        const end = endOf(tr.doc, text)
        tr.insert(end, schema.text(' and more'))
        if (text !== 'code') tr.addMark(end + 1, end + 4, schema.marks.italic!.create())
      }
      tr.insert(tr.doc.resolve(endOf(tr.doc, 'b')).before(-1), parseMarkdown('- new').doc.firstChild!.content)
      tr.insert(endOf(tr.doc, 'last'), schema.text('!'))
    })
    expect(kept).toBe(6)
  })
})
