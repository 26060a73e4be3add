import { schema } from '@copydesk/schema'
import { parseInlineMarkdown, parseMarkdownFragment } from '@copydesk/schema/markdown'
import { Fragment } from 'prosemirror-model'
import { isHtml } from './html.ts'
import { readHtml } from './read-html.ts'

/** Reads content as blocks: HTML if it begins and ends with tags, else markdown. */
export function readBlockContent(content: string): Fragment {
  return isHtml(content) ? readHtml(content) : parseMarkdownFragment(linesApart(content))
}

/** Parses content as a part of one line; null if it contains more. */
export function readInlineContent(content: string): Fragment | null {
  if (!isHtml(content)) return parseInlineMarkdown(linesApart(content))
  const blocks = readHtml(content)
  const only = blocks.childCount === 1 ? blocks.child(0) : undefined
  if (only?.type.name !== 'paragraph') return null
  return textOf(/^ */.exec(content))
    .append(only.content)
    .append(textOf(/ *$/.exec(content)))
}

function textOf(match: RegExpExecArray | null): Fragment {
  return Fragment.from(match?.[0] ? schema.text(match[0]) : null)
}

// Short or complete lines are intended as separate paragraphs; markdown would join them. Lines that were wrapped at a
// column, and content with block markup, are unchanged.
function linesApart(content: string): string {
  const lines = content.trim().split('\n')
  const isPlain =
    lines.length > 1 && lines.every((line) => /^ {0,3}[\p{L}\p{N}"'“„«(¿¡]/u.test(line) && !markup.test(line))
  const areApart = lines
    .slice(0, -1)
    .every((line) => !/[ \\]$/.test(line) && (line.length < 50 || /[.!?:;…)"”»]$/.test(line)))
  return isPlain && areApart
    ? content.replaceAll(/\n(?=.)/g, (feed, at: number) => (at < firstText(content) ? feed : '\n\n'))
    : content
}

const markup = /^\s*(?:\d+[.)]\s|[-*+>|#]|```|~~~)|^\s*\|?[-:|\s]+$|\|.*\|/

function firstText(content: string): number {
  return content.search(/\S/)
}
