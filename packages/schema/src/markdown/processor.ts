import remarkFrontmatter from 'remark-frontmatter'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import remarkParse from 'remark-parse'
import remarkStringify, { type Options } from 'remark-stringify'
import { unified } from 'unified'

/** Reads markdown as an mdast tree: CommonMark with GFM, math and YAML frontmatter. */
export const markdownReader = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkMath)
  .use(remarkFrontmatter, ['yaml'])
  .freeze()

export type MdastRoot = ReturnType<typeof markdownReader.parse>

/** Any mdast node below the root. */
export type MdastNode = MdastRoot['children'][number]

/** The mdast node of one type, such as `MdastOf<'paragraph'>`. */
export type MdastOf<Type extends MdastNode['type']> = Extract<MdastNode, { type: Type }>

/** An mdast node that is valid in phrasing (inline) content. */
export type Phrasing = MdastOf<'paragraph'>['children'][number]

/** An mdast node that is valid in flow (block) content. */
export type Flow = MdastOf<'listItem'>['children'][number]

type Handler = NonNullable<NonNullable<Options['handlers']>['root']>
type State = Parameters<Handler>[2]
type Unsafe = State['unsafe'][number]

/**
 * The handler of the root: it restricts the escaping before any text is written. The library escapes `*`, `_`, `~`,
 * `[`, `#` and `&` wherever they could have a meaning; this handler escapes them only where they have one. It relies on
 * the writer never writing a reference definition, and on `(` being escaped after every `]`.
 */
const root: Handler = (node, _parent, state, info) => {
  state.unsafe = [...state.unsafe.flatMap(narrow), footnoteAfterBreak]
  return state.containerFlow(node, info)
}

// A pattern with its own expression: with `before` and `after` the library could skip it next to another escape.
function matching(pattern: Unsafe, expression: RegExp): Unsafe {
  const { character, inConstruct, notInConstruct } = pattern
  return { character, inConstruct, notInConstruct, _compiled: expression }
}

function narrow(pattern: Unsafe): Unsafe[] {
  const isPlain = !pattern.atBreak && !pattern.before && !pattern.after
  switch (pattern.character) {
    case '*':
      return isPlain ? [matching(pattern, /(?<=\S)\*|\*(?=\S)/g)] : [pattern]
    case '_':
      return isPlain ? [matching(pattern, /(?<=\S)_|_(?=\S)/g)] : [pattern]
    case '~':
      return isPlain ? [matching(pattern, /(?<=\S)~|~(?=\S)/g)] : [pattern]
    case '&':
      return [matching(pattern, /&(?=#\d{1,7};|#[xX][\da-fA-F]{1,6};|[A-Za-z][A-Za-z\d]{1,31};)/g)]
    case '#':
      return pattern.atBreak ? [matching(pattern, /(?<=[\r\n][\t ]*)#(?=#{0,5}(?:[ \t\r\n]|$))/g)] : [pattern]
    case '.':
      // Any text after `www.` would become part of an address, even an escape.
      return pattern.atBreak ? [pattern] : [matching(pattern, /(?<=[Ww]{3})\./g)]
    case '[':
      return narrowBracket(pattern)
    default:
      return [pattern]
  }
}

// At the start of a line a bracket may open a definition or a checkbox. The definition of a footnote is read back as
// text.
const riskyBracket = /(?<=[\r\n][\t ]*)\[(?!\^[A-Za-z\d-]+\]: \p{L})(?!(?![ \txX]\])[^[\]\\\r\n]+\](?!:|$))/gu

// After a hard break inside a paragraph, the definition of a footnote would end the paragraph.
const footnoteAfterBreak: Unsafe = { character: '[', beforeNode: ['break'], _compiled: /^\[(?=\^)/g }

function narrowBracket(pattern: Unsafe): Unsafe[] {
  if (pattern.atBreak) return [matching(pattern, riskyBracket)]
  const constructs = [pattern.inConstruct ?? []].flat().filter((name) => name !== 'phrasing')
  return constructs.length > 0 ? [{ ...pattern, inConstruct: constructs, _compiled: undefined }] : []
}

/** Writes an mdast tree as markdown in one fixed style, so that a second round trip results in the same bytes. */
export const markdownWriter = unified()
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkMath)
  .use(remarkStringify, {
    bullet: '-',
    bulletOther: '*',
    emphasis: '*',
    fences: true,
    listItemIndent: 'one',
    rule: '*',
    handlers: { root },
  })
  .freeze()
