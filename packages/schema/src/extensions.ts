import { type AnyExtension, getSchema, mergeAttributes, Node } from '@tiptap/core'
import { Blockquote } from '@tiptap/extension-blockquote'
import { Bold } from '@tiptap/extension-bold'
import { Code } from '@tiptap/extension-code'
import { CodeBlock } from '@tiptap/extension-code-block'
import { Document } from '@tiptap/extension-document'
import { HardBreak } from '@tiptap/extension-hard-break'
import { Heading } from '@tiptap/extension-heading'
import { Highlight } from '@tiptap/extension-highlight'
import { HorizontalRule } from '@tiptap/extension-horizontal-rule'
import { Image } from '@tiptap/extension-image'
import { Italic } from '@tiptap/extension-italic'
import { Link } from '@tiptap/extension-link'
import { BulletList, ListItem, OrderedList, TaskItem, TaskList } from '@tiptap/extension-list'
import { Paragraph } from '@tiptap/extension-paragraph'
import { Strike } from '@tiptap/extension-strike'
import { TableCell, TableHeader, TableRow } from '@tiptap/extension-table'
import { Text } from '@tiptap/extension-text'
import { Underline } from '@tiptap/extension-underline'
import type { Schema } from 'prosemirror-model'
import { isSafeUrl } from './links.ts'
import { Comment, Deletion, FormattingChange, Insertion, reviewMarkNames } from './marks/review.ts'
import { Mention } from './nodes/mention.ts'
import { SizedTable } from './nodes/table.ts'
import { ReviewAttributes } from './review-attributes.ts'

const latexAttribute = {
  latex: {
    default: '',
    parseHTML: (element: AttributeSource) => element.getAttribute('data-latex') ?? '',
    renderHTML: (attributes: Record<string, unknown>) => ({ 'data-latex': attributes.latex }),
  },
}

/** An inline formula; `latex` is its source without delimiters. */
const InlineMath = Node.create({
  name: 'inlineMath',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => latexAttribute,
  parseHTML: () => [{ tag: 'span[data-type="inline-math"]' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'span',
    mergeAttributes({ 'data-type': 'inline-math' }, HTMLAttributes),
    String(node.attrs.latex),
  ],
  renderText: ({ node }) => `$${String(node.attrs.latex)}$`,
})

/** A block formula; `latex` is its source without delimiters. */
const BlockMath = Node.create({
  name: 'blockMath',
  group: 'block',
  atom: true,
  addAttributes: () => latexAttribute,
  parseHTML: () => [{ tag: 'div[data-type="block-math"]' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'div',
    mergeAttributes({ 'data-type': 'block-math' }, HTMLAttributes),
    String(node.attrs.latex),
  ],
  renderText: ({ node }) => `$$${String(node.attrs.latex)}$$`,
})

// Without `parseHTML` TipTap converts an attribute that looks like a number or a boolean.
function textAttribute(name: string, attribute = name) {
  return {
    default: null,
    parseHTML: (element: { getAttribute(name: string): string | null }) => element.getAttribute(name),
    renderHTML: (attributes: Record<string, unknown>) =>
      attributes[attribute] === null ? {} : { [name]: attributes[attribute] },
  }
}

// The upstream mark also stores target, rel and class. These are presentation: the interface sets them, and documents
// don't store them.
const PlainLink = Link.extend({
  inclusive: false,
  addAttributes() {
    return { href: textAttribute('href'), title: textAttribute('title') }
  },
}).configure({
  openOnClick: false,
  HTMLAttributes: { target: '_blank', rel: 'noopener noreferrer nofollow' },
  isAllowedUri: (url) => isSafeUrl(url),
})

const cssColor = /^(?:#[0-9a-f]{3,8}|[a-z]{3,20})$/i

// The colour is written into a style attribute; upstream would write any value that a peer has stored.
const SafeHighlight = Highlight.extend({
  addAttributes() {
    return {
      color: {
        default: null,
        parseHTML: (element) => element.getAttribute('data-color'),
        renderHTML: ({ color }: Record<string, unknown>) =>
          typeof color === 'string' && cssColor.test(color)
            ? { 'data-color': color, style: `background-color: ${color}; color: inherit` }
            : {},
      },
    }
  },
})

// Upstream, the code mark excludes every other mark and a code block allows none, so that a comment on code would
// delete the code.
const ReviewableCode = Code.extend({ excludes: 'code' })
const ReviewableCodeBlock = CodeBlock.extend({ marks: reviewMarkNames.join(' ') })

// Images are blocks in this schema, and blocks have no marks: the link address of an image is an attribute. Its title
// is its caption (docs/decisions/0029-a-caption-is-a-title.md).
const LinkedImage = Image.extend({
  addAttributes() {
    return {
      ...this.parent?.(),
      src: textAttribute('src'),
      alt: textAttribute('alt'),
      title: textAttribute('title'),
      href: textAttribute('data-href', 'href'),
      align: textAttribute('data-align', 'align'),
    }
  },
})

/**
 * The marks and attributes of comments and suggested changes, for an editor with its own extensions. `schemaExtensions`
 * includes them.
 */
export const reviewExtensions: readonly AnyExtension[] = [
  Comment,
  Insertion,
  Deletion,
  FormattingChange,
  ReviewAttributes,
]

/**
 * The one list of TipTap extensions that define the document. Browser, server and agent build their schema from it;
 * the browser adds behaviour (collaboration, menus, node views) but no nodes, marks or attributes.
 */
export const schemaExtensions: readonly AnyExtension[] = [
  Document,
  Paragraph,
  Text,
  Heading.configure({ levels: [1, 2, 3, 4, 5, 6] }),
  Bold,
  Italic,
  Strike,
  Underline,
  ReviewableCode,
  PlainLink,
  SafeHighlight.configure({ multicolor: true }),
  BulletList,
  OrderedList,
  ListItem,
  TaskList,
  TaskItem.configure({ nested: true }),
  Blockquote,
  ReviewableCodeBlock,
  HorizontalRule,
  HardBreak,
  LinkedImage.configure({ inline: false }),
  SizedTable.configure({ resizable: false }),
  TableRow,
  TableHeader,
  TableCell,
  InlineMath,
  BlockMath,
  Mention,
  ...reviewExtensions,
]

/** The ProseMirror schema of every Copydesk document, built from `schemaExtensions`. */
export const schema: Schema = getSchema([...schemaExtensions])

type AttributeSource = { getAttribute(name: string): string | null }
