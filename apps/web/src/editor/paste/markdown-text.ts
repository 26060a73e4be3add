import { parseMarkdownFragment } from '@copydesk/schema/markdown'
import { Fragment, type Node, Slice } from 'prosemirror-model'
import type { Selection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { mayWrite } from '../common/may-write.ts'
import { insertSlice, isInCode } from './insert-slice.ts'

/** Inserts Markdown at a position, like a paste there, and puts the caret behind it. */
export function insertMarkdown(view: EditorView, text: string, place: Selection): void {
  if (text === '' || view.isDestroyed || !mayWrite(view)) return
  view.focus()
  view.dispatch(view.state.tr.setSelection(place))
  if (isInCode(view)) view.dispatch(view.state.tr.insertText(text).scrollIntoView())
  else insertSlice(view, readMarkdown(view, text))
}

/** The content of a Markdown text, open at paragraphs. */
export function readMarkdown({ state }: EditorView, text: string): Slice {
  // The editor has its own schema instance, created from the same list.
  const json: unknown = parseMarkdownFragment(text).toJSON()
  const content = Fragment.fromJSON(state.schema, json)
  return new Slice(content, openAt(content.firstChild), openAt(content.lastChild))
}

function openAt(node: Node | null): number {
  return node?.type.name === 'paragraph' ? 1 : 0
}

const fences = /^ {0,3}(`{3,}|~{3,})[^`\n]*\n[^]*?^ {0,3}\1/m
const heading = /(?:^|\n[ \t]*\n) {0,3}#{1,6} +\S[^\n]*(?=\n[ \t]*(?:\n|$)|$)/
const table = /^[^\n|]*\|[^\n]*\n[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*(?:\|[ \t]*:?-{3,}:?[ \t]*)*\|?[ \t]*(?:\n|$)/m
const link = /(?<![\w\])])!?\[[^\]\n]+\]\((?:https?:\/\/|\/|#|mailto:)[^\s)]*(?: "[^"\n]*")?\)/
const task = /^[ \t]*[-*+] \[[ xX]\] \S/m
const mathBlock = /^\$\$[ \t]*\n[^]*?^\$\$[ \t]*$/m

const bullets = /^[ \t]*[-*+] +\S/gm
const numbers = /^[ \t]*\d{1,3}[.)] +\S/gm
const quotes = /^> ?\S/gm
const strong = /(?<![\w*])\*\*[^\s*](?:[^*\n]*[^\s*])?\*\*(?![\w*])/g
const inlineCode = /(?<!`)`[^`\s][^`\n]*`(?!`)/g

// Only the first characters are examined: they are sufficient, and the patterns are slow on adversarial input.
const inspectedCharacters = 10_000

/**
 * Whether a pasted text is intended as markdown, and doesn't just contain a star or a hash: it has at least one
 * unambiguous construct, or two weaker ones.
 */
export function looksLikeMarkdown(text: string): boolean {
  const source = text.slice(0, inspectedCharacters).replace(/\r\n?/g, '\n').trim()
  if ([fences, table, task, mathBlock].some((pattern) => pattern.test(source))) return true
  if (looksLikeCode(source)) return false
  if (heading.test(source) || link.test(source)) return true
  const count = (pattern: RegExp) => source.match(pattern)?.length ?? 0
  const isList = count(bullets) > 1 || count(numbers) > 1
  const signs = [isList, count(quotes) > 1, count(strong) > 0, count(inlineCode) > 0].filter(Boolean).length
  return isList || signs > 1 || (signs > 0 && source.includes('\n\n'))
}

// Comments of a script look like headings, and an argument list like a list.
function looksLikeCode(source: string): boolean {
  const lines = source.split('\n').filter((line) => line.trim() !== '')
  const code = lines.filter((line) => /[;{}]\s*$|^\s*(?:import|const|let|def|function|return|#include|#!)\b/.test(line))
  return code.length * 4 > lines.length && lines.length > 1
}
