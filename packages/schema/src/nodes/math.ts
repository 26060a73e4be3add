import { mergeAttributes, Node } from '@tiptap/core'

type AttributeSource = { getAttribute(name: string): string | null }

const latexAttribute = {
  latex: {
    default: '',
    parseHTML: (element: AttributeSource) => element.getAttribute('data-latex') ?? '',
    renderHTML: (attributes: Record<string, unknown>) => ({ 'data-latex': attributes.latex }),
  },
}

/** An inline formula; `latex` is its source without delimiters. */
export const InlineMath = Node.create({
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
export const BlockMath = Node.create({
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
