import { readSuggestions, readThreads, reviewMarkNames } from '@copydesk/schema'
import { type AnyExtension, type Attribute, type GlobalAttributes, Mark } from '@tiptap/core'
import { safeColor } from '../../ui/people/person-look.ts'

/** The class of all content of a suggested change; undefined for an id that isn't a plain word. */
export function changeClass(id: unknown): string | undefined {
  return isPlain(id) ? `change-${id}` : undefined
}

/** The class of all content of a comment thread; undefined for an id that isn't a plain word. */
export function threadClass(id: unknown): string | undefined {
  return isPlain(id) ? `thread-${id}` : undefined
}

/** The classes of a node for its `suggestion` and `threads` attributes. */
export function reviewClasses({ suggestion, threads }: Record<string, unknown>): string {
  const changes = readSuggestions(suggestion).map(({ id }) => changeClass(id))
  return join([...changes, ...readThreads(threads).map(threadClass)])
}

function isPlain(id: unknown): id is string {
  return typeof id === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(id)
}

function join(classes: readonly (string | undefined)[]): string {
  return classes.filter((each) => each !== undefined).join(' ')
}

type Classes = (attributes: Record<string, unknown>) => string

const ofMarks: Record<string, Classes> = {
  id: ({ id }) => join([changeClass(id)]),
  threadId: ({ threadId }) => join([threadClass(threadId)]),
}
const ofNodes: Record<string, Classes> = {
  suggestion: ({ suggestion }) => reviewClasses({ suggestion }),
  threads: ({ threads }) => reviewClasses({ threads }),
}

/**
 * Adds a class for each id to the rendering of a review's marks and attributes. Browsers index rules by class; they
 * test every rule with an attribute selector on every element, which takes seconds for some thousand suggestions.
 * Changes only the rendering: the schema is unchanged.
 */
export function withReviewClasses(extension: AnyExtension): AnyExtension {
  if (extension instanceof Mark && reviewMarkNames.some((name) => name === extension.name)) {
    return extension.extend({
      addAttributes() {
        return withClasses((this.parent as (() => Record<string, Attribute>) | undefined)?.() ?? {}, ofMarks)
      },
    })
  }
  if (extension.name !== 'reviewAttributes') return extension
  return extension.extend({
    addGlobalAttributes() {
      const all = (this.parent as (() => GlobalAttributes) | undefined)?.() ?? []
      return all.map((each) => ({ ...each, attributes: withClasses(each.attributes, ofNodes) }))
    },
  })
}

function withClasses<T extends Record<string, Attribute | undefined>>(
  attributes: T,
  classes: Record<string, Classes>,
): T {
  const drawn = Object.entries(attributes).map(([name, attribute]) => {
    const classesOf = classes[name]
    if (!classesOf || !attribute) return [name, attribute]
    const renderHTML: Attribute['renderHTML'] = (values) => {
      const rendered = attribute.renderHTML?.(values)
      const found = classesOf(values)
      return found === '' ? (rendered ?? {}) : { ...rendered, class: found }
    }
    return [name, { ...attribute, renderHTML }]
  })
  return Object.fromEntries(drawn) as T
}

/** The colour of each suggested change (`#rrggbb`, or `agent`), and which threads are open. */
type ReviewLooks = {
  changes: readonly { id: string; color: string }[]
  threads: readonly string[]
}

/**
 * The rules of a style sheet for these looks. Marks contain only an id, so rules supply the authors' colours: no
 * decoration has to be redrawn when a user's name or a thread changes. Omits ids that aren't plain words.
 */
export function reviewRules({ changes, threads }: ReviewLooks): string {
  const byColor = Map.groupBy(changes, ({ color }) => (color === 'agent' ? 'var(--agent)' : safeColor(color)))
  const rules = [...byColor].map(([color, group]) =>
    rule(
      group.map(({ id }) => changeClass(id)),
      `--by:${color}`,
    ),
  )
  const look = '--comment:var(--comment-soft);--comment-line:var(--comment-edge);--comment-mark:underline'
  return [...rules, rule(threads.map(threadClass), look)].join('')
}

/**
 * The rules for the active items: a thread, if it is open, and changes. In a separate style sheet, since it changes
 * with the caret.
 */
export function activeRules(thread: string | null, changes: readonly string[]): string {
  return (
    rule([threadClass(thread)], '--comment:var(--comment-strong)') + rule(changes.map(changeClass), '--by-strength:25%')
  )
}

function rule(classes: readonly (string | undefined)[], look: string): string {
  const selectors = classes.flatMap((each) => (each === undefined ? [] : `.document-text .${each}`))
  return selectors.length === 0 ? '' : `${selectors.join(',')}{${look}}\n`
}
