import { mergeAttributes, Node } from '@tiptap/core'

/** The `id` and `label` of the built-in agent. */
export const AGENT_MENTION = 'agent'

/**
 * Attributes of a mention node. `requestId` names one request: a mention of kind `agent` starts one run per `requestId`
 * when it is or becomes `sent`.
 */
export type MentionAttributes = {
  id: string
  label: string
  kind: 'agent' | 'person'
  requestId: string | null
  state: 'draft' | 'sent'
}

function dataAttribute(name: string, attribute: string, fallback: string | null) {
  return {
    default: fallback,
    parseHTML: (element: { getAttribute(name: string): string | null }) => element.getAttribute(name) ?? fallback,
    renderHTML: (attributes: Record<string, unknown>) =>
      attributes[attribute] === null ? {} : { [name]: attributes[attribute] },
  }
}

/** An `@name` in the text: an inline atom whose displayed and exported form is its label. */
export const Mention = Node.create({
  name: 'mention',
  group: 'inline',
  inline: true,
  atom: true,
  selectable: false,

  addAttributes() {
    return {
      id: dataAttribute('data-id', 'id', ''),
      label: dataAttribute('data-label', 'label', ''),
      kind: dataAttribute('data-kind', 'kind', 'person'),
      requestId: dataAttribute('data-request', 'requestId', null),
      state: dataAttribute('data-state', 'state', 'draft'),
    }
  },

  parseHTML() {
    return [{ tag: 'span[data-mention]' }]
  },

  renderHTML({ node, HTMLAttributes }) {
    return ['span', mergeAttributes({ 'data-mention': '' }, HTMLAttributes), `@${String(node.attrs.label)}`]
  },

  renderText({ node }) {
    return `@${String(node.attrs.label)}`
  },
})
