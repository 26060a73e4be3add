import { resolveChanges, schema } from '@copydesk/schema'
import fc from 'fast-check'
import type { Node } from 'prosemirror-model'
import { describe, expect, test } from 'vitest'
import { documentNode, suggested, suggestedText, suggestion } from '../testing/suggested.ts'
import { documentOfNode, fail, readNode, sessionOn, succeed } from '../testing/test-document.ts'
import { allSegments } from '../text/segments.ts'
import { blockText, holdsChanges } from '../document/blocks.ts'
import type { DocumentSession } from './document-session.ts'

const sample = documentNode(
  suggested('First -old- +new+ words'),
  suggested('-Gone altogether-', suggestion('delete')),
  suggested('+Wholly added+', suggestion('insert')),
  suggested('-Was deleted,- but Bob typed here', suggestion('delete')),
  schema.node('horizontalRule', suggestion('delete')),
  suggested('Last'),
)

function viewOf(session: DocumentSession) {
  const read = session.view()
  if (!read.ok) throw new Error(read.text)
  return read.view
}

function texts(doc: Node): string[] {
  return viewOf(sessionOn(documentOfNode(doc))).blocks.map(({ node }) => blockText(node))
}

describe('the accepted view', () => {
  test('blocks and text that suggestions delete are not there, what was typed among them is', () => {
    expect(texts(sample)).toEqual(['First  new words', 'Wholly added', ' but Bob typed here', 'Last'])
  })

  test('numbers still lead to the right Y types', async () => {
    const doc = documentOfNode(sample)
    const session = sessionOn(doc)
    await succeed(session, 'read_document')
    await succeed(session, 'edit_document', { block: 3, find: 'Last', replace: 'The last' })
    expect(readNode(doc).lastChild?.textContent).toBe('The last')
    expect(readNode(doc).child(1).textContent).toBe('Gone altogether')
  })

  test('read_document shows it and says in a note which blocks hold suggestions', async () => {
    const { text } = await succeed(sessionOn(documentOfNode(sample)), 'read_document')
    expect(text).toContain('4 blocks, 10 words\nSuggested changes are open')
    expect(text).toContain('[0] First  new words\n[1] Wholly added\n')
    expect(text).toMatch(/\[3\] Last\n\n\(Suggested changes, shown as if accepted, are in blocks \[0\], \[1\], \[2\]:/)
    const plain = documentOfNode(documentNode(suggested('Plain')))
    expect((await succeed(sessionOn(plain), 'read_document')).text).not.toContain('uggest')
  })

  test('search, locating and the nearest text see only what is there', async () => {
    const session = sessionOn(documentOfNode(sample))
    expect((await succeed(session, 'search_document', { query: 'Gone' })).details).toMatchObject({ total: 0 })
    expect((await succeed(session, 'search_document', { query: 'o\\w+', isRegex: true })).details).toMatchObject({
      matches: [
        { block: 0, text: 'ords' },
        { block: 1, text: 'olly' },
        { block: 2, text: 'ob' },
      ],
    })
    expect(await fail(session, 'edit_document', { find: 'deleted', replace: 'x' })).toMatchObject({ code: 'not_found' })
    expect((await fail(session, 'edit_document', { find: 'Gone altogethr', replace: 'x' })).hint).not.toContain('Gone')
    const info = await succeed(session, 'get_document_info')
    expect(info.details).toMatchObject({ blocks: 4, words: 10, sections: 1 })
  })

  test('a document of which everything is to be deleted reads as having nothing', async () => {
    const session = sessionOn(documentOfNode(documentNode(suggested('-All-', suggestion('delete')))))
    const { text } = await succeed(session, 'read_document')
    expect(text).toContain('0 blocks, 0 words')
    expect(text).toContain('read_changes')
    expect((await succeed(session, 'get_document')).details).toMatchObject({ sections: [] })
    await succeed(session, 'insert_text', { position: { type: 'absolute', location: 'end' }, content: 'Anew' })
    expect((await succeed(session, 'read_document')).text).toContain('[0] Anew')
  })

  test('hidden rows, cells and list items take no part', async () => {
    const cell = (line: string, attributes = {}) => schema.node('tableCell', attributes, [suggested(line, attributes)])
    const row = (attributes: object, ...cells: Node[]) => schema.node('tableRow', { ...attributes }, cells)
    const item = (line: string, attributes = {}) => schema.node('listItem', attributes, [suggested(line, attributes)])
    const doc = documentNode(
      schema.node('table', null, [
        row({}, cell('a'), cell('-b-c')),
        row(suggestion('delete'), cell('-gone-', suggestion('delete')), cell('-gone-', suggestion('delete'))),
        row({}, cell('-gone-', suggestion('delete')), cell('-gone-', suggestion('delete'))),
        row({}, cell('d'), cell('-out-', suggestion('delete'))),
      ]),
      schema.node('orderedList', null, [item('-one-', suggestion('delete')), item('two'), item('three')]),
    )
    expect(texts(doc)).toEqual(['a\tc', 'd', 'two', 'three'])
    const { text } = await succeed(sessionOn(documentOfNode(doc)), 'read_document')
    expect(text).toContain('[2] 1. two\n[3] 2. three')
    const session = sessionOn(documentOfNode(doc))
    expect(allSegments(viewOf(session)).map((segment) => segment.text)).toEqual(['a', 'c', 'd', 'two', 'three'])
  })
})

describe('edits among text that a suggestion deletes', () => {
  const edit = async (line: string, find: string, replace: string): Promise<string> => {
    const doc = documentOfNode(documentNode(suggested(line), suggested('end')))
    await succeed(sessionOn(doc), 'edit_document', { find, replace })
    const marked = readNode(doc)
      .child(0)
      .children.map((child) => {
        const names = child.marks.map((mark) => mark.type.name)
        if (names.includes('deletion')) return `-${child.textContent}-`
        return names.includes('insertion') ? `+${child.textContent}+` : child.textContent
      })
    return marked.join('')
  }

  test('leave it where it is, with its mark', async () => {
    expect(await edit('The -very -quick fox', 'The quick fox', 'A slow fox')).toBe('A -very -slow fox')
    expect(await edit('ab-cd-ef', 'abef', 'xyz')).toBe('xyz-cd-')
    expect(await edit('ab-cd-ef-gh-ij', 'abefij', 'abij')).toBe('ab-cd--gh-ij')
    expect(await edit('foo-bar- baz', 'foo', 'food')).toBe('food-bar- baz')
    expect(await edit('x -foo-bar', 'bar', 'a bar')).toBe('x -foo-a bar')
  })

  test('new text within what a suggestion adds stays part of it', async () => {
    expect(await edit('a +teh word+ b', 'teh', 'the')).toBe('a +the word+ b')
  })

  test('formatting changes only what is there', async () => {
    const doc = documentOfNode(documentNode(suggested('one-two-three')))
    await succeed(sessionOn(doc), 'edit_document', { find: 'onethree', replace: '**onethree**' })
    const bold = readNode(doc)
      .child(0)
      .children.filter((child) => child.marks.some(({ type }) => type.name === 'bold'))
    expect(bold.map((child) => child.textContent)).toEqual(['one', 'three'])
  })
})

describe('properties of the accepted view', () => {
  const word = fc.stringMatching(/^[a-z ]{1,6}$/)
  const line = fc
    .array(fc.tuple(fc.constantFrom('', '+', '-'), word), { maxLength: 5 })
    .map((parts) => parts.map(([sign, text]) => sign + text + sign).join(''))
  const paragraph = fc.oneof(
    line.map((each) => suggested(each)),
    word.map((each) => suggested(`-${each}-`, suggestion('delete'))),
    word.map((each) => suggested(`+${each}+`, suggestion('insert'))),
  )
  const list = fc.array(paragraph, { minLength: 1, maxLength: 3 }).map((items) =>
    schema.node(
      'bulletList',
      null,
      items.map((each) => schema.node('listItem', null, [each])),
    ),
  )
  const quote = fc.array(paragraph, { minLength: 1, maxLength: 3 }).map((each) => schema.node('blockquote', null, each))
  const code = line.map((each) => schema.node('codeBlock', null, suggestedText(each)))
  const document = fc.array(fc.oneof(paragraph, list, quote, code), { minLength: 1, maxLength: 6 })

  test('the text is that of the document with all changes accepted', () => {
    fc.assert(
      fc.property(document, (blocks) => {
        const doc = documentNode(...blocks)
        const accepted = texts(resolveChanges(doc, 'accepted')).filter((text) => text !== '')
        expect(texts(doc).filter((text) => text !== '')).toEqual(accepted)
        expect(holdsChanges(resolveChanges(doc, 'accepted'))).toBe(false)
      }),
    )
  })

  test('an edit never loses hidden text', async () => {
    await fc.assert(
      fc.asyncProperty(line, fc.nat(), fc.nat(), word, async (each, at, length, replace) => {
        const doc = documentOfNode(documentNode(suggested(each), suggested('end')))
        const visible = texts(readNode(doc))[0] ?? ''
        const find = visible.slice(at % (visible.length + 1)).slice(0, 1 + (length % 8))
        fc.pre(find.trim() !== '' && find !== visible)
        const hidden = hiddenText(readNode(doc))
        await succeed(sessionOn(doc), 'edit_document', { find, replace, occurrence: 'first' })
        expect(hiddenText(readNode(doc))).toBe(hidden)
      }),
    )
  })
})

function hiddenText(doc: Node): string {
  let text = ''
  doc.descendants((node) => {
    if (node.marks.some((mark) => mark.type.name === 'deletion')) text += node.text ?? ''
  })
  return text
}
