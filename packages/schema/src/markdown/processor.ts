import remarkFrontmatter from 'remark-frontmatter'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import remarkParse from 'remark-parse'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import { root } from './escaping.ts'

/** Reads markdown as an mdast tree: CommonMark with GFM, math and YAML frontmatter. */
export const markdownReader = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkMath)
  .use(remarkFrontmatter, ['yaml'])
  .freeze()

/** Root of an mdast tree. */
export type MdastRoot = ReturnType<typeof markdownReader.parse>

/** Any mdast node below the root. */
export type MdastNode = MdastRoot['children'][number]

/** The mdast node of one type, such as `MdastOf<'paragraph'>`. */
export type MdastOf<Type extends MdastNode['type']> = Extract<MdastNode, { type: Type }>

/** An mdast node that is valid in phrasing (inline) content. */
export type Phrasing = MdastOf<'paragraph'>['children'][number]

/** An mdast node that is valid in flow (block) content. */
export type Flow = MdastOf<'listItem'>['children'][number]

/** Writes an mdast tree as markdown in one fixed style, so that a second round trip gives the same bytes. */
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
