import { changedArgumentsNote, readFences, type ToolResultMessage } from '@copydesk/agent'

/** A block as a tool showed it: its number and its markdown, for a code block over several lines. */
export type ShownBlock = { number: number; text: string }

/** A match of a text. Deleting one between spaces leaves two; `before` is the text before it in its block. */
export type FoundPlace = { block: ShownBlock; isWord: boolean; isBetweenSpaces: boolean; before: string }

/** Removes the fences from the text of a tool result, and the note on a person's decision in front of it. */
export function plainResult(text: string): string {
  const parts = readFences(text).slice(isChanged(text) ? 2 : 0)
  return parts.map((part) => part.text).join('\n')
}

/** Whether a person changed the arguments of a call before approval. */
export const isChanged = (text: string) => text.startsWith(changedArgumentsNote('', {}).split('\n', 1)[0] ?? '\n')

const errorCode = /^(?:error:?\s*)?\(?([a-z]+(?:_[a-z]+)*)\)?:\s+/i

/** The code of a result that is an error, '' if it names none. */
export function readErrorCode({ text }: Pick<ToolResultMessage, 'text'>): string {
  return errorCode.exec(plainResult(text).trim())?.[1]?.toLowerCase() ?? ''
}

/** The first line of a result for people: without the code of an error and block numbers, which people don't see. */
export function readSentence({ text, isError }: Pick<ToolResultMessage, 'text' | 'isError'>): string {
  const numbers = String.raw`\[\d+\](?: \(\d+ times\))?`
  const places = `,? (?:in|of|at|to|from) (?:the )?blocks? ${numbers}(?:(?:,| to| and) ${numbers})*|^\\[\\d+\\] `
  const line = plainResult(text).trim().split('\n')[0] ?? ''
  return line
    .replace(isError ? errorCode : '', '')
    .replaceAll(new RegExp(places, 'g'), '')
    .replaceAll(new RegExp(`\\b([Bb])lock ${numbers}`, 'g'), (_, b: string) => `${b === 'B' ? 'The' : 'the'} block`)
    .replace(/:$/, '.')
    .slice(0, 600)
}

/** The blocks in a result, each once, as they come: numbers are names, so they say nothing about the order. */
export function readBlocks(text: string): ShownBlock[] {
  const blocks = new Map<number, ShownBlock>()
  let open: ShownBlock | undefined
  for (const line of plainResult(text).split('\n')) {
    const [, number, start = ''] = /^[> ]*\[(\d+)\] ?(.*)$/.exec(line) ?? []
    if (number !== undefined) {
      open = { number: Number(number), text: start }
      if (!blocks.has(open.number)) blocks.set(open.number, open)
    } else if (line.trim() === '') open = undefined
    else if (open) open.text += `\n${line}`
  }
  return [...blocks.values()]
}

/** Every match of a text in the given blocks, in document order. */
export function findPlaces(blocks: readonly ShownBlock[], text: string): FoundPlace[] {
  const pattern = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'gu')
  return blocks.flatMap((block) => {
    const visible = hideMarkup(block.text)
    return [...visible.matchAll(pattern)].map(({ index }): FoundPlace => {
      const [before, after] = [visible.slice(0, index), visible.slice(index + text.length)]
      const isWord = !joins(before, text) && !joins(text, after)
      const isBetweenSpaces = /(?:^|\s)$/.test(before) && after.startsWith(' ')
      return { block, isWord, isBetweenSpaces, before }
    })
  })
}

// Two letters belong to one word, and "4" and ",000" to one number.
function joins(left: string, right: string): boolean {
  if ((/\d$/.test(left) && /^[.,]\d/.test(right)) || (/\d[.,]$/.test(left) && /^\d/.test(right))) return true
  return /[\p{L}\p{N}]$/u.test(left) && /^[\p{L}\p{N}]/u.test(right)
}

// The text that tools search is without the marks of inline markdown, the addresses of links, and backslashes.
function hideMarkup(markdown: string): string {
  if (markdown.startsWith('```')) return markdown
  const unlinked = markdown.replaceAll(/\[([^\]]*)\]\([^)\s]*\)/g, '$1')
  return unlinked.replaceAll(/\\([!-/:-@[-`{-~])|(?<=\S)\*+|\*+(?=\S)|~~|`+|<\/?(?:u|mark)(?: [^>]*)?>/g, '$1')
}

/** The text of a block without the marker of its heading, list item or quotation. */
export function withoutMarker(text: string): string {
  return hideMarkup(text).replace(/^\s*(?:#{1,6}|[-*+](?: \[[ x]\])?|\d+[.)]|>)\s+/, '')
}

/** The threads in a result. Each line that people wrote begins with ">", so that no comment can imitate a thread. */
export function readThreads(text: string) {
  return text.split(/^(?=Thread )/m).flatMap((part) => {
    const [, id, quote = ''] = /^Thread (\S+), [^:\n]*: "(.*)"$/m.exec(part) ?? []
    const said = [...part.matchAll(/^([^>\n].*?)(?:, an agent)? \(comment \S+\):((?:\n> .*)*)/gm)]
    const comments = said.map(([, author = '', text = '']) => ({ author, text: text.replaceAll('\n> ', '\n').trim() }))
    return id === undefined ? [] : [{ id, quote, comments }]
  })
}

/** The sections in a result; none if a text imitates the line above a section, since then none can be trusted. */
export function readSections(text: string): { index: number; title: string }[] {
  const total = Number(/^\d+(?= sections?\b)/.exec(text.trimStart())?.[0])
  const pattern = /^(?:=== )?Section (\d+): (.*?)(?: ===|: [\d,.]+ characters?(?:, from block \[\d+\] on)?)$/gm
  const sections = [...text.matchAll(pattern)].map(([, index, title = '']) => ({ index: Number(index), title }))
  return sections.length === total && sections.every(({ index }, at) => index === at) ? sections : []
}
