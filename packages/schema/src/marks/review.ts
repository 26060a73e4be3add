import { Mark } from '@tiptap/core'

type AttributeSource = { getAttribute(name: string): string | null }

function dataAttribute(name: string, attribute: string) {
  return {
    [attribute]: {
      default: null,
      parseHTML: (element: AttributeSource) => element.getAttribute(name),
      renderHTML: (attributes: Record<string, unknown>) =>
        attributes[attribute] === null ? {} : { [name]: attributes[attribute] },
    },
  }
}

/**
 * What the four review marks have in common: they hold an id and nothing with an author in it (author, run and time
 * stand in the room document), and typing at their edge doesn't extend them. All but `insertion` may overlap with marks
 * of their own kind (`excludes: ''`), so that two people's ids stand side by side instead of one replacing the other;
 * y-prosemirror then stores them as `name--hash`.
 */
const shared = { inclusive: false, spanning: true, exitable: true }

// Before the rules of formatting, the first of which would take `del` for a plain strikethrough.
const priority = 60

/** The text that a comment thread is about. Set by the server only. */
export const Comment = Mark.create({
  ...shared,
  name: 'comment',
  excludes: '',
  addAttributes: () => dataAttribute('data-thread', 'threadId'),
  parseHTML: () => [{ tag: 'span[data-thread]', priority }],
  renderHTML: ({ HTMLAttributes }) => ['span', HTMLAttributes, 0],
})

/** Text that a suggestion adds. A character is inserted by one suggestion, so this mark excludes its own kind. */
export const Insertion = Mark.create({
  ...shared,
  name: 'insertion',
  excludes: 'insertion',
  addAttributes: () => dataAttribute('data-change', 'id'),
  parseHTML: () => [{ tag: 'ins[data-change]', priority }],
  renderHTML: ({ HTMLAttributes }) => ['ins', HTMLAttributes, 0],
})

/** Text that a suggestion removes; it may lie on somebody else's insertion. */
export const Deletion = Mark.create({
  ...shared,
  name: 'deletion',
  excludes: '',
  addAttributes: () => dataAttribute('data-change', 'id'),
  parseHTML: () => [{ tag: 'del[data-change]', priority }],
  renderHTML: ({ HTMLAttributes }) => ['del', HTMLAttributes, 0],
})

/**
 * Text whose formatting a suggestion changes. The text already has the new formatting; `mark` is the name of the mark
 * that changed and `previous` what to put back on reject: its former attributes as JSON, or null if it wasn't there.
 */
export const FormattingChange = Mark.create({
  ...shared,
  name: 'formattingChange',
  excludes: '',
  addAttributes: () => ({
    ...dataAttribute('data-change', 'id'),
    ...dataAttribute('data-mark', 'mark'),
    ...dataAttribute('data-previous', 'previous'),
  }),
  parseHTML: () => [{ tag: 'span[data-change][data-mark]', priority }],
  renderHTML: ({ HTMLAttributes }) => ['span', HTMLAttributes, 0],
})

/** The names of the review marks, which code and code blocks admit although they refuse or limit formatting. */
export const reviewMarkNames = ['comment', 'insertion', 'deletion', 'formattingChange'] as const
