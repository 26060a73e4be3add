import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { resolveChanges } from '@copydesk/schema'
import { parseMarkdown, serializeBlock, serializeMarkdown } from '@copydesk/schema/markdown'
import type { Node } from 'prosemirror-model'
import { describe, expect, test } from 'vitest'
import type * as Y from 'yjs'
import type { DocumentSession } from './session/document-session.ts'
import { documentOf, documentOfNode, readNode, sessionOn, succeed } from './testing/test-document.ts'

const folder = join(import.meta.dirname, '../../../../shared/data/markdown')
const hasData = existsSync(folder)
if (!hasData) console.warn(`SKIPPED: editing real documents, since ${folder} isn't there`)
// The longest documents take seconds each to parse and cover no further cases.
const isTestable = (name: string): boolean => name.endsWith('.md') && statSync(join(folder, name)).size < 130_000
const files = hasData ? readdirSync(folder).filter(isTestable) : []

// Short enough to run every tool on each; there are enough of them in every script.
const isShort = (name: string): boolean => statSync(join(folder, name)).size < 40_000

const word = /\p{L}{3,}/u

describe.skipIf(!hasData)('real documents', () => {
  test.each(files)('%s: editing one block leaves every other as it was', async (name) => {
    const doc = documentOf(readFileSync(join(folder, name), 'utf8'))
    const session = sessionOn(doc)
    const read = session.view()
    if (!read.ok) throw new Error(read.text)
    const original = readNode(doc)
    const before = original.content.content.map((node) => serializeBlock(node))
    const editable = read.view.blocks.filter(({ kind, node }) => kind === 'text' && word.test(node.textContent))
    const targets = [0.1, 0.5, 0.9].flatMap((share) => editable[Math.floor(editable.length * share)] ?? [])
    for (const target of targets) {
      const find = word.exec(target.node.textContent)?.[0] ?? ''
      const input = { block: session.show(target), find, replace: `${find}XQ`, occurrence: 1 }
      await succeed(session, 'edit_document', input)
    }
    const after = readNode(doc).content.content.map((node) => serializeBlock(node))
    expect(after).toHaveLength(before.length)
    const touched = new Set(targets.map((target) => original.resolve(target.pos + 1).index(0)))
    const changed = after.flatMap((text, index) => (text === before[index] ? [] : [index]))
    expect(new Set(changed)).toEqual(touched)
    for (const index of changed) expect(after[index]?.replaceAll('XQ', '')).toBe(before[index])
  })

  test.each(files.filter(isShort))(
    '%s: every changing tool leaves what it was not to touch, and what it suggests leaves the export as it is',
    async (name) => {
      const { doc: parsed } = parseMarkdown(readFileSync(join(folder, name), 'utf8'))
      const create = (): Y.Doc => documentOfNode(parsed)
      const original = serializeMarkdown(parsed)
      const before = textsOf(readNode(create()))
      for (const play of plays) {
        const edited = create()
        const session = sessionOn(edited)
        const target = targetIn(session)
        const call = target && play(target)
        if (!call) continue
        await succeed(session, call.name, call.input)
        const written = readNode(edited)
        expectOnlyChangedAt(before, textsOf(written), target.top, call.name)

        const suggested = create()
        const suggesting = sessionOn(suggested, { mode: 'suggest' })
        const same = targetIn(suggesting)
        const again = same && play(same)
        if (!again) continue
        await succeed(suggesting, again.name, again.input)
        const proposed = readNode(suggested)
        expect(serializeMarkdown(proposed), `${call.name} suggested`).toBe(original)
        const accepted = resolveChanges(proposed, 'accepted')
        const made = resolveChanges(written, 'accepted')
        expect(serializeMarkdown(accepted), `${call.name} accepted`).toBe(serializeMarkdown(made))
      }
    },
  )
})

/** A top-level paragraph of a document: its number, a word in it, and its index among the top-level blocks. */
type Target = { block: number; word: string; top: number }
type Call = { name: string; input: Record<string, unknown> }

const plays: ((target: Target) => Call)[] = [
  ({ block, word: find }) => ({
    name: 'edit_document',
    input: { block, find, replace: `${find} and **more**`, occurrence: 1 },
  }),
  ({ block }) => ({
    name: 'insert_text',
    input: { position: { type: 'block', block, placement: 'after' }, content: 'New words.\n\n- and\n- items' },
  }),
  ({ block }) => ({
    name: 'apply_formatting',
    input: { target: { type: 'block', block }, format: { type: 'heading', level: 3 } },
  }),
  ({ block }) => ({
    name: 'apply_formatting',
    input: { target: { type: 'block', block }, format: { type: 'bold' } },
  }),
  ({ block }) => ({
    name: 'apply_formatting',
    input: { target: { type: 'block', block }, format: { type: 'bulletList' } },
  }),
  ({ block }) => ({ name: 'suggest_deletion', input: { block } }),
]

function targetIn(session: DocumentSession): Target | undefined {
  const read = session.view()
  if (!read.ok) throw new Error(read.text)
  const { doc, blocks } = read.view
  const prose = blocks.filter(({ node, pos }) => {
    return (
      node.type.name === 'paragraph' && doc.resolve(pos).depth === 0 && node.textContent === node.textContent.trim()
    )
  })
  const plain = prose.filter(({ node }) => word.test(node.textContent))
  const target = plain[Math.floor(plain.length / 2)]
  const found = target && word.exec(target.node.textContent)?.[0]
  if (!target || found === undefined) return undefined
  return { block: session.show(target), word: found, top: doc.resolve(target.pos).index(0) }
}

/** The top-level blocks as markdown, one by one. */
function textsOf(doc: Node): string[] {
  return doc.content.content.map((node) => serializeBlock(node, { changes: 'accepted' }))
}

/** Expects that all top-level blocks except the one at `index`, and its direct neighbours, are serialized unchanged. */
function expectOnlyChangedAt(before: readonly string[], after: readonly string[], index: number, what: string): void {
  const tail = before.length - index - 1
  expect(after.slice(0, index), what).toEqual(before.slice(0, index))
  expect(tail === 0 ? [] : after.slice(-tail), what).toEqual(before.slice(index + 1))
}
