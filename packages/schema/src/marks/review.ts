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
 * Shared by the four review marks: they contain an id but no author, run or time (the room document stores those), and
 * typing at their edge doesn't extend them. All but `insertion` may overlap with marks of their own kind (`excludes:
 * ''`), so that the ids of two users coexist instead of one replacing the other; y-prosemirror then stores them as
 * `name--hash`.
 */
const shared = { inclusive: false, spanning: true, exitable: true }

// Higher than the parse rules of formatting, the first of which would read `del` as a plain strikethrough.
const priority = 60

/** The text that a comment thread refers to. Set by the server only. */
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

/** Text that a suggestion removes; it may overlap another user's insertion. */
export const Deletion = Mark.create({
  ...shared,
  name: 'deletion',
  excludes: '',
  addAttributes: () => dataAttribute('data-change', 'id'),
  parseHTML: () => [{ tag: 'del[data-change]', priority }],
  renderHTML: ({ HTMLAttributes }) => ['del', HTMLAttributes, 0],
})

/**
 * Text whose formatting a suggestion changes. The text already has the new formatting; `mark` is the name of the
 * changed mark and `previous` the value to restore on reject: its former attributes as JSON, or null if the text didn't
 * have the mark.
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

/** The names of the review marks. Code and code blocks allow them although they refuse or limit formatting. */
export const reviewMarkNames = ['comment', 'insertion', 'deletion', 'formattingChange'] as const
