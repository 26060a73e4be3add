/** Text inside a block. */
export type Inline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'strong' | 'emphasis' | 'strike'; children: Inline[] }
  | { type: 'link'; href: string; children: Inline[] }
  | { type: 'break' }

/** The content after an opening delimiter, until the closing one is read. */
interface Frame {
  delimiter: string
  children: Inline[]
}

const markOf = { '*': 'emphasis', _: 'emphasis', '**': 'strong', '~~': 'strike' } as const

const token =
  /(?<ticks>`+)|(?<mark>\*+|_+|~+)|(?<bracket>[[\]])|\\(?<escaped>[!-/:-@[-`{-~])|(?<hard>(?: {2,}|\\)\n)|(?<url>https?:\/\/[^\s<>()]*[^\s<>().,;:!?'"*_~])|(?<plain> +|[^\\`*_~[\]h ]+|[^])/uy
const urlInLabel = /https?:\/\/[^\s<>()[\]]*[^\s<>()[\].,;:!?'"*_~]/y
const linkTarget = /\]\((?<href>[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)(?:\s+"[^"]*")?\)/y
const wordCharacter = /[\p{L}\p{N}_]/u

/**
 * Parses the text of one block, in time linear in its length: delimiters are kept on a stack, as in the algorithm of
 * CommonMark, but a mark never contains the same mark. An opening delimiter replaces an earlier one of its kind, which
 * becomes text, so the stack has at most one frame for each kind.
 */
export function parseInline(text: string): Inline[] {
  return new InlineParser(text).parse()
}

class InlineParser {
  readonly #text: string
  readonly #codeEnds: CodeEnds
  /** The bottom frame is the text itself and has no delimiter. */
  readonly #frames: Frame[] = [{ delimiter: '', children: [] }]
  #at = 0

  constructor(text: string) {
    this.#text = text
    this.#codeEnds = new CodeEnds(text)
  }

  parse(): Inline[] {
    for (let found = matchAt(token, this.#text, this.#at); found; found = matchAt(token, this.#text, this.#at)) {
      const at = this.#at
      this.#at += found[0].length
      this.#read(found[0], found.groups ?? {}, at)
    }
    this.#foldAbove(0)
    return this.#top.children
  }

  get #top(): Frame {
    return this.#frames.at(-1) as Frame
  }

  #read(source: string, groups: Record<string, string | undefined>, at: number): void {
    if (groups.ticks) this.#readTicks(source, at)
    else if (groups.mark) this.#readMark(source, at)
    else if (source === '[') this.#open('[')
    else if (source === ']') this.#readLabelEnd(at)
    else if (groups.hard) this.#push({ type: 'break' })
    else if (groups.url) this.#readUrl(source, at)
    else this.#push({ type: 'text', text: groups.escaped ?? source })
  }

  #readTicks(ticks: string, at: number): void {
    const end = this.#codeEnds.after(at, ticks.length)
    if (end === undefined) return this.#push({ type: 'text', text: ticks })
    const code = this.#text.slice(at + ticks.length, end)
    this.#push({ type: 'code', text: code.replace(/\n/g, ' ').trim() })
    this.#at = end + ticks.length
  }

  #readMark(run: string, at: number): void {
    const before = this.#text[at - 1] ?? ' '
    const after = this.#text[at + run.length] ?? ' '
    const inWord = (outside: string): boolean => run === '_' && wordCharacter.test(outside)
    const isMark = run[0] === '*' || run === '_' || run === '~~'
    let rest = run
    while (isMark && before.trim() && !inWord(after)) {
      const frame = this.#closedBy(rest)
      if (!frame) break
      this.#close(frame, markOf[frame.delimiter as keyof typeof markOf])
      rest = rest.slice(frame.delimiter.length)
    }
    while (isMark && rest && after.trim() && !inWord(before)) {
      const delimiter = rest.slice(0, 2)
      this.#open(delimiter)
      rest = rest.slice(delimiter.length)
    }
    this.#push({ type: 'text', text: rest })
  }

  #readLabelEnd(at: number): void {
    const frame = this.#frames.find(({ delimiter }) => delimiter === '[')
    const found = frame && matchAt(linkTarget, this.#text, at)
    if (!frame || !found || (frame === this.#top && frame.children.length === 0)) {
      if (frame) this.#fold(frame)
      return this.#push({ type: 'text', text: ']' })
    }
    this.#foldAbove(this.#frames.indexOf(frame))
    this.#frames.pop()
    this.#push({ type: 'link', href: found.groups?.href ?? '', children: withoutLinks(frame.children) })
    this.#at = at + found[0].length
  }

  #readUrl(source: string, at: number): void {
    const inLabel = this.#frames.some(({ delimiter }) => delimiter === '[')
    const href = inLabel ? (matchAt(urlInLabel, this.#text, at)?.[0] ?? 'h') : source
    this.#at = at + href.length
    this.#push(
      href === 'h' ? { type: 'text', text: href } : { type: 'link', href, children: [{ type: 'text', text: href }] },
    )
  }

  #open(delimiter: string): void {
    const earlier = this.#frames.find((frame) => frame.delimiter === delimiter)
    if (earlier) this.#fold(earlier)
    this.#frames.push({ delimiter, children: [] })
  }

  /** The frame with exactly these marks, or else the innermost one that some of them close. */
  #closedBy(marks: string): Frame | undefined {
    const open = this.#frames.slice(1)
    return (
      open.find(({ delimiter }) => delimiter === marks) ?? open.findLast(({ delimiter }) => marks.startsWith(delimiter))
    )
  }

  #close(frame: Frame, type: 'strong' | 'emphasis' | 'strike'): void {
    this.#foldAbove(this.#frames.indexOf(frame))
    this.#frames.pop()
    this.#push({ type, children: frame.children })
  }

  #foldAbove(index: number): void {
    while (this.#frames.length > index + 1) this.#fold(this.#top)
  }

  /** The frame has no closing delimiter: its delimiter is text. */
  #fold(frame: Frame): void {
    const index = this.#frames.indexOf(frame)
    const below = this.#frames[index - 1] as Frame
    this.#frames.splice(index, 1)
    append(below.children, { type: 'text', text: frame.delimiter })
    for (const child of frame.children) append(below.children, child)
  }

  #push(part: Inline): void {
    append(this.#top.children, part)
  }
}

/** The positions of runs of backticks, by their length. Must be queried from left to right. */
class CodeEnds {
  /** The runs of each length, the first one last. */
  readonly #starts = new Map<number, number[]>()

  constructor(text: string) {
    for (const { 0: run, index } of text.matchAll(/`+/g)) {
      const starts = this.#starts.get(run.length)
      if (starts) starts.push(index)
      else this.#starts.set(run.length, [index])
    }
    for (const starts of this.#starts.values()) starts.reverse()
  }

  after(at: number, length: number): number | undefined {
    const starts = this.#starts.get(length) ?? []
    while ((starts.at(-1) ?? Infinity) <= at) starts.pop()
    return starts.at(-1)
  }
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at
  return sticky.exec(text)
}

function withoutLinks(parts: Inline[]): Inline[] {
  return parts.flatMap((part) => {
    if (part.type === 'link') return part.children
    return 'children' in part ? { ...part, children: withoutLinks(part.children) } : part
  })
}

function append(parts: Inline[], part: Inline): void {
  const last = parts.at(-1)
  if (part.type !== 'text') parts.push(part)
  else if (last?.type === 'text') last.text += part.text
  else if (part.text !== '') parts.push({ ...part })
}
