import type { Node } from 'prosemirror-model'
import { schema } from '../extensions.ts'

/**
 * Reads markdown without interpreting it, for texts on which the parser would fail: every run of lines between blank
 * ones becomes a paragraph with a hard break after each line. Only backslash escapes and references to white space are
 * resolved, so that an export of the result reads back the same.
 */
export function readPlain(markdown: string): Node[] {
  return markdown
    .split(/(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n)\s*/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => schema.node('paragraph', null, paragraph.split(/\r\n|\r|\n/).flatMap(readLine)))
}

function readLine(line: string, index: number): Node[] {
  const value = line
    .replace(/^[ \t]+|\\$/g, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&#x(20|9|A0);/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\0', '\uFFFD')
  return [...(index > 0 ? [schema.node('hardBreak')] : []), ...(value === '' ? [] : [schema.text(value)])]
}
