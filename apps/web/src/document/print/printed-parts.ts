import type { Thread } from '@copydesk/protocol'
import type { Mark, Node } from 'prosemirror-model'
import { Decoration, DecorationSet } from 'prosemirror-view'
import { formatDate } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { anchorsOf } from '../../review/text/anchors.ts'
import { listThreads } from '../../review/threads/thread-list.ts'

/** The printed parts besides the text: the document's title, and optionally comments. */
export type PrintedParts = { title: string; threads: readonly Thread[] }

/**
 * Decorations for paper: the title above a text that doesn't begin with it, the address after each link, a number at
 * each commented text, and the open comments under these numbers at the end.
 */
export function drawPrinted(doc: Node, { title, threads }: PrintedParts): DecorationSet {
  const { threads: anchors } = anchorsOf(doc)
  const open = listThreads(threads, [...anchors.keys()]).filter(({ resolved }) => !resolved)
  const numbers = open.flatMap(({ id }, index) => {
    const at = anchors.get(id)?.to
    return at !== undefined && takesNumber(doc, at) ? [Decoration.widget(at, () => drawNumber(index + 1))] : []
  })
  const addresses = readAddresses(doc).map(({ at, address }) =>
    Decoration.widget(at, () => element('span', 'printed-address', ` (${address})`), { marks: [] }),
  )
  return DecorationSet.create(doc, [
    ...(title === '' || beginsWith(doc, title)
      ? []
      : [Decoration.widget(0, () => element('h1', 'printed-title', title), { side: -1 })]),
    ...addresses,
    ...numbers,
    ...(open.length > 0 ? [Decoration.widget(doc.content.size, () => drawThreads(open), { side: 1 })] : []),
  ])
}

/**
 * The positions after links whose text doesn't contain their target, with the absolute addresses; in document order.
 */
export function readAddresses(doc: Node): { at: number; address: string }[] {
  const found: { mark: Mark; at: number; text: string }[] = []
  doc.descendants((node, position) => {
    const mark = node.marks.find(({ type }) => type.name === 'link')
    if (!mark) return
    const end = position + node.nodeSize
    const last = found.at(-1)
    if (last?.at === position && last.mark.eq(mark))
      Object.assign(last, { at: end, text: last.text + node.textContent })
    else found.push({ mark, at: end, text: node.textContent })
  })
  return found.flatMap(({ mark, at, text }) => {
    const address = absolute(String(mark.attrs.href))
    return address === null || bare(address) === bare(text) ? [] : [{ at, address }]
  })
}

// A position in the same document has no address on paper.
function absolute(href: string): string | null {
  return href.startsWith('#') ? null : (URL.parse(href, globalThis.location?.href)?.href ?? null)
}

function bare(address: string): string {
  return address
    .trim()
    .replace(/^(?:https?:\/\/|mailto:|tel:)/i, '')
    .replace(/\/$/, '')
    .toLowerCase()
}

function beginsWith({ firstChild }: Node, title: string): boolean {
  return firstChild?.type.name === 'heading' && firstChild.attrs.level === 1 && firstChild.textContent.trim() === title
}

// Between the cells of a table a number would become a cell.
function takesNumber(doc: Node, at: number): boolean {
  return doc.resolve(at).parent.type.spec.tableRole === undefined
}

function drawNumber(number: number): HTMLElement {
  return element('sup', 'printed-number', `[${number}]`)
}

function drawThreads(threads: readonly Thread[]): HTMLElement {
  const list = element('ol', 'printed-threads')
  for (const { quote, comments } of threads) {
    const item = list.appendChild(element('li', 'printed-thread'))
    item.append(element('q', 'printed-quote', quote))
    for (const { author, createdAt, text } of comments) {
      const comment = item.appendChild(element('div', 'printed-comment'))
      comment.append(
        element('strong', '', author.name),
        ` · ${formatDate(createdAt, { dateStyle: 'short', timeStyle: 'medium' })}`,
      )
      comment.append(element('p', '', text))
    }
  }
  const section = element('section', 'printed-comments')
  section.append(element('h2', '', t('Comments')), list)
  return section
}

function element(name: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(name)
  made.className = className
  made.dir = 'auto'
  made.textContent = text
  return made
}
