import { Fragment, type Node } from 'prosemirror-model'
import { fitContent } from '../attributes/fit-content.ts'
import { schema } from '../extensions.ts'
import { isFrontmatter } from '../frontmatter.ts'
import { costOf } from './cost.ts'
import { type MdastNode, type MdastOf, type MdastRoot, markdownReader } from './processor.ts'
import { type BlockContext, readBlocks } from './read-blocks.ts'
import { trimBlanksAtEnd } from './white-space.ts'

/**
 * A document read from markdown. `frontmatter` is its YAML source, or null if there is none or it is too large (it then
 * becomes a code block); `title` is the text of the first `h1`.
 */
export type ParsedMarkdown = { doc: Node; frontmatter: string | null; title: string | null }

/**
 * Reads markdown (CommonMark with GFM, math, YAML frontmatter) as a document of the schema. Never throws and never
 * loses text: constructs without a node in the schema (raw HTML, footnotes, MDX) become literal text. Links with an
 * unsafe address become plain text, images with one their alternative text; content beyond the limits of a document is
 * changed by `fitContent`. The first `h1` remains in the text.
 */
export function parseMarkdown(markdown: string): ParsedMarkdown {
  const source = withoutByteOrderMark(markdown)
  const { blocks, frontmatter } = read(source)
  const doc = schema.node('doc', null, blocks.length > 0 ? blocks : [schema.node('paragraph')])
  return { doc, frontmatter, title: titleOf(doc) }
}

/** Reads markdown as block content; an empty fragment for text without content. Frontmatter is read as text. */
export function parseMarkdownFragment(markdown: string): Fragment {
  return Fragment.fromArray(read(withoutByteOrderMark(markdown)).blocks)
}

/**
 * Reads markdown as inline content if it is exactly one paragraph of text, else returns null. White space at its start
 * and end, which markdown ignores, is kept, so that a fragment from the middle of a sentence keeps it.
 */
export function parseInlineMarkdown(markdown: string): Fragment | null {
  const lead = /^[ \t]*/.exec(markdown)?.[0] ?? ''
  const body = trimBlanksAtEnd(markdown.slice(lead.length))
  const tail = markdown.slice(lead.length + body.length)
  if (body === '') return Fragment.from(markdown === '' ? null : schema.text(markdown))
  const { blocks } = read(body)
  const [paragraph, more] = blocks
  if (paragraph?.type.name !== 'paragraph' || more) return null
  const space = (value: string) => Fragment.from(value === '' ? null : schema.text(value))
  return space(lead).append(paragraph.content).append(space(tail))
}

type Read = { blocks: Node[]; frontmatter: string | null }

function read(source: string): Read {
  const { blocks, frontmatter } = readAll(source)
  return { blocks: [...fitContent(Fragment.fromArray(blocks)).content.content], frontmatter }
}

function readAll(source: string): Read {
  if (costOf(source).isTooCostly) return readWithoutParser(source)
  try {
    const tree = markdownReader.parse(source)
    const first = tree.children[0]
    const yaml = first?.type === 'yaml' ? yamlSource(first, source) : null
    const frontmatter = isFrontmatter(yaml) ? yaml : null
    if (yaml !== null && frontmatter === null) tree.children[0] = { type: 'code', lang: 'yaml', value: yaml }
    return { blocks: readBlocks(tree.children, createContext(tree, source)), frontmatter }
  } catch (error) {
    // The parser and its trees are recursive: emphasis can nest deeper than the call stack allows.
    if (error instanceof RangeError) return readWithoutParser(source)
    throw error
  }
}

function readWithoutParser(source: string): Read {
  const [fenced, frontmatter = null] = /^---[ \t]*(?:\r\n|\r|\n)([^]*?)(?:\r\n|\r|\n)---[ \t]*(?=[\r\n]|$)/.exec(
    source,
  ) ?? ['']
  if (!isFrontmatter(frontmatter)) return { blocks: readPlain(source), frontmatter: null }
  return { blocks: readPlain(source.slice(fenced.length)), frontmatter }
}

function yamlSource(node: MdastNode, source: string): string {
  const fenced = source.slice(node.position?.start.offset, node.position?.end.offset)
  const yaml = fenced.replace(/^---[ \t]*(?:\r\n|\n|\r)/, '').replace(/(?:\r\n|\n|\r|^)---[ \t]*$/, '')
  return yaml.replaceAll(/\0|\p{Surrogate}/gu, '\uFFFD')
}

function createContext(tree: MdastRoot, source: string): BlockContext {
  const definitions = new Map<string, MdastOf<'definition'>>()
  const referenced = new Set<string>()
  const pending: MdastNode[] = [...tree.children]
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.type === 'linkReference' || node.type === 'imageReference') referenced.add(node.identifier)
    if ('children' in node) for (const child of node.children) pending.push(child)
  }
  const collect = (nodes: readonly MdastNode[]) => {
    for (const node of nodes) {
      if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node)
      if ('children' in node) collect(node.children)
    }
  }
  collect(tree.children)
  return {
    source,
    inTable: false,
    definition: (identifier) => definitions.get(identifier),
    isReferenced: (node) => definitions.get(node.identifier) === node && referenced.has(node.identifier),
  }
}

function titleOf(doc: Node): string | null {
  let title: string | null = null
  doc.descendants((node) => {
    if (title === null && node.type.name === 'heading' && node.attrs.level === 1)
      title = node.textContent.trim() || null
    return title === null && !node.isTextblock
  })
  return title
}

function withoutByteOrderMark(markdown: string): string {
  return markdown.startsWith('\uFEFF') ? markdown.slice(1) : markdown
}

/**
 * Reads markdown without interpreting it, for texts on which the parser would fail: every run of lines between blank
 * ones becomes a paragraph with a hard break after each line. Only backslash escapes and references to white space are
 * resolved, so that an export of the result reads back the same.
 */
function readPlain(markdown: string): Node[] {
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
