import { schema } from '@copydesk/schema'
import { Fragment } from 'prosemirror-model'
import { z } from 'zod'
import { defineTool } from '../../tool/define-tool.ts'
import { planInsert } from '../../edit/structure/plan-insert.ts'
import { failure } from '../../common/result.ts'
import { findAnchor, position } from '../changing/insert-text.ts'
import { evident } from '../../tool/fields.ts'
import { localizable } from '../../common/localizable.ts'

const input = z.object({
  position: position.describe('As in insert_text.'),
  latex: evident(z.string(), 'Without $.'),
  display: evident(z.boolean().optional(), 'true: as a block of its own.'),
})

/** Inserts a formula, within a text or as a block. */
export const insertMath = defineTool({
  name: 'insert_math',
  description: 'Inserts a formula, in the text or as a block.',
  input,
  changes: true,
  activity: localizable`Inserting a formula…`,
  handler(given, session, call) {
    const latex = withoutDelimiters(given.latex)
    if (latex === '') return failure('invalid_input', 'latex is empty.', 'latex: the formula, such as x^2.')
    const { findCharacters } = session.limits
    if (latex.length > findCharacters) {
      const limit = findCharacters.toLocaleString('en')
      return failure(
        'too_large',
        localizable`latex is longer than ${limit} characters.`,
        'Insert it in several formulas.',
      )
    }
    const nodes = {
      inline: Fragment.from(schema.node('inlineMath', { latex: latex.replace(/\s+/g, ' ') })),
      block: Fragment.from(schema.node('blockMath', { latex })),
    }
    const as = given.display === undefined ? undefined : given.display ? 'block' : 'inline'
    return session.commit(call, (view) => {
      const anchor = findAnchor(given.position, session, view)
      return anchor.ok ? planInsert(view, anchor.anchor, { content: `$${latex}$`, as, nodes }) : anchor
    })
  },
})

const delimiters = [
  ['$$', '$$'],
  ['$', '$'],
  [String.raw`\[`, String.raw`\]`],
  [String.raw`\(`, String.raw`\)`],
] as const

// A dollar sign within a formula would end it in markdown.
function withoutDelimiters(latex: string): string {
  let bare = latex.trim()
  for (const [open, close] of delimiters) {
    const isWrapped = bare.startsWith(open) && bare.endsWith(close) && bare.length >= open.length + close.length
    if (isWrapped) bare = bare.slice(open.length, -close.length).trim()
  }
  return bare.replaceAll(/(?<!\\)\$/g, String.raw`\$`)
}
