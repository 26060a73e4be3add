import { contentTypes } from '@copydesk/schema'
import * as Y from 'yjs'
import { allTexts, plain } from './test-document.ts'

/** One operation of another peer; the numbers choose its position. */
export type RivalMove =
  | { kind: 'type'; where: number; at: number }
  | { kind: 'delete'; where: number; at: number; length: number }
  | { kind: 'bold'; where: number; at: number; length: number }
  | { kind: 'paragraph'; where: number }

/** A peer that types characters that occur in no other text, so that tests can search for each afterwards. */
export type Rival = { doc: Y.Doc; typed: string[]; act(move: RivalMove): void }

const firstCharacter = 0xe000

/** Creates a rival with its own replica. It deletes only text that it didn't type itself. */
export function createRival(doc: Y.Doc): Rival {
  const typed: string[] = []
  const next = (): string => {
    const character = String.fromCharCode(firstCharacter + typed.length)
    typed.push(character)
    return character
  }
  return { doc, typed, act: (move) => act(doc, move, next) }
}

/** Whether a text contains a character that a rival typed. */
export function holdsTyped(text: string): boolean {
  return /[\uE000-\uF8FF]/.test(text)
}

function act(doc: Y.Doc, move: RivalMove, next: () => string): void {
  const fragment = doc.getXmlFragment(contentTypes.fragment)
  if (move.kind === 'paragraph') {
    const paragraph = new Y.XmlElement('paragraph')
    paragraph.insert(0, [new Y.XmlText(`${next()} by the rival`)])
    fragment.insert(move.where % (fragment.length + 1), [paragraph])
    return
  }
  const texts = [...allTexts(fragment)]
  const text = texts[move.where % Math.max(1, texts.length)]
  if (!text) return
  const characters = plain(text)
  const at = wholeAt(characters, move.at % (characters.length + 1))
  if (move.kind === 'type') text.insert(at, next())
  else if (at < characters.length && !isCode(text)) change(text, characters, at, move)
}

function change(text: Y.XmlText, characters: string, at: number, move: RivalMove & { length: number }): void {
  const length = wholeAt(characters, Math.min(at + move.length, characters.length)) - at
  if (length <= 0) return
  if (move.kind === 'bold') text.format(at, length, { bold: {} })
  else if (!/[\uD800-\uDFFF\uE000-\uF8FF]/.test(characters.slice(at, at + length))) text.delete(at, length)
}

// Editors never put a caret inside an emoji.
function wholeAt(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text[at] ?? '') && at > 0 ? at - 1 : at
}

function isCode(text: Y.XmlText): boolean {
  return text.parent instanceof Y.XmlElement && text.parent.nodeName === 'codeBlock'
}
