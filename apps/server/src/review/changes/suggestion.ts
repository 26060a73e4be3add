import { readChanges, type SuggestedChange, trackChanges } from '@copydesk/schema'
import type { Range } from '@copydesk/tools'
import { Fragment, type Mark, type Node, Slice } from 'prosemirror-model'
import { Transform } from 'prosemirror-transform'
import { type Refusal, refuse } from '../../common/errors.ts'

const reviewMarks = ['comment', 'insertion', 'deletion', 'formattingChange']

/**
 * A tracked change under `id` that replaces a range of `doc` by plain text; an empty range inserts. The new text gets
 * the formatting at its start, and `marks`; a line break becomes a hard break of the document. Refused if nothing would
 * change or the schema doesn't allow the text there.
 */
export function planSuggestion(
  doc: Node,
  range: Range,
  replaceWith: string,
  id: string,
  marks: readonly Mark[] = [],
): { ok: true; transform: Transform; change: SuggestedChange } | Refusal {
  const after = replace(doc, range, replaceWith, marks)
  if (!after) return refuse('invalid_input', 'Text can’t go here.', 'Select text inside one paragraph.')
  const transform = trackChanges(doc, after, { idAt: () => id, isOwn: () => false })
  const change = readChanges(transform.doc).find((each) => each.id === id)
  if (!change)
    return refuse('invalid_input', 'That would change nothing.', 'Send a text that differs from the current one.')
  return { ok: true, transform, change }
}

function replace(doc: Node, { from, to }: Range, text: string, marks: readonly Mark[]): Node | undefined {
  try {
    const transform = new Transform(doc)
    const { parent } = doc.resolve(from)
    if (text !== '' && !parent.inlineContent) return undefined
    transform.replace(from, to, new Slice(Fragment.from(textNodes(doc, from, text, marks)), 0, 0))
    checkNew(doc, transform.doc)
    return transform.doc
  } catch {
    // The message of the schema's error is written for programmers.
    return undefined
  }
}

/** Throws if the schema refuses nodes that only `after` contains; shared nodes are valid. */
function checkNew(before: Node, after: Node): void {
  const known = new Set(before.children)
  if (!after.type.validContent(after.content)) throw new RangeError('blocks that are not allowed here')
  for (const child of after.children) if (!known.has(child)) child.check()
}

function textNodes(doc: Node, from: number, text: string, added: readonly Mark[]): Node[] {
  const { schema } = doc.type
  const $from = doc.resolve(from)
  // At the start of a node, its first text determines the formatting.
  const around = $from.parentOffset === 0 ? ($from.nodeAfter?.marks ?? []) : $from.marks()
  const kept = around.filter(({ type }) => !reviewMarks.includes(type.name))
  const marks = added.reduce((set, mark) => mark.addToSet(set), kept as readonly Mark[])
  const { hardBreak } = schema.nodes
  const breaks = hardBreak && $from.parent.type.contentMatch.matchType(hardBreak) ? hardBreak : undefined
  if (!breaks) return text === '' ? [] : [schema.text(text, marks)]
  return text
    .split(/\r\n|\r|\n/)
    .flatMap((line, index) => [
      ...(index > 0 ? [breaks.create()] : []),
      ...(line === '' ? [] : [schema.text(line, marks)]),
    ])
}
