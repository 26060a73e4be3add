import { schema } from '@copydesk/schema'
import { parseMarkdown } from '@copydesk/schema/markdown'
import { describe, expect, test } from 'vitest'
import { flatTextAround, flatTextOf } from './flat-text.ts'

const markdown = `# T

a **bold** $x^2$ 😀\\
z

- one
  - two

| a | b |
| - | - |
| c | |

![alt](/i.png)

\`\`\`
let a
b
\`\`\``

describe('flatTextOf', () => {
  test('holds every text and leaf block on a line of its own', () => {
    const { text } = flatTextOf(parseMarkdown(markdown).doc)
    expect(text).toBe('T\na bold $x^2$ 😀\nz\none\ntwo\na\nb\nc\n\n![alt](/i.png)\nlet a\nb')
  })

  test('every piece of it is at its stated place', () => {
    const { doc } = parseMarkdown(markdown)
    const flat = flatTextOf(doc)
    const { text } = flat
    let count = 0
    for (let from = 0; from < text.length; from++) {
      for (let to = from + 1; to <= text.length; to++) {
        if (text[from] === '\n' || text[to - 1] === '\n') continue
        const range = flat.positionsOf({ from, to })
        if (!range) continue
        expect(flat.offsetsOf(range)).toEqual({ from, to })
        count++
      }
    }
    expect(count).toBeGreaterThan(400)
    expect(flat.positionsOf({ from: text.indexOf('x^2'), to: text.indexOf('x^2') + 3 })).toBeUndefined()
    expect(flat.positionsOf({ from: text.indexOf('😀'), to: text.indexOf('😀') + 1 })).toBeUndefined()
    expect(flat.positionsOf({ from: 3, to: 3 })).toBeUndefined()
  })

  test('leaves out what suggestions delete, and takes a range across it', () => {
    const deletion = schema.mark('deletion', { id: 'd' })
    const suggestion = JSON.stringify([{ id: 'd', operation: 'delete' }])
    const doc = schema.node('doc', null, [
      schema.node('paragraph', null, [schema.text('keep '), schema.text('drop ', [deletion]), schema.text('this')]),
      schema.node('paragraph', { suggestion }, schema.text('gone', [deletion])),
      schema.node('horizontalRule', { suggestion }),
      schema.node('paragraph', null, schema.text('end')),
    ])
    const flat = flatTextOf(doc)
    expect(flat.text).toBe('keep this\nend')
    expect(flat.positionsOf({ from: 0, to: 9 })).toEqual({ from: 1, to: 15 })
    expect(flat.positionsOf({ from: 5, to: 9 })).toEqual({ from: 11, to: 15 })
    expect(flat.offsetsOf({ from: 6, to: 11 })).toEqual({ from: 5, to: 5 })
  })

  test('reads around a range at the cost of the blocks there', () => {
    const { doc } = parseMarkdown('one\n\ntwo\n\nthree')
    expect(flatTextAround(doc, { from: 7, to: 8 }).text).toBe('two')
  })
})
