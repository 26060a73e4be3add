import { type Editor, Extension, InputRule } from '@tiptap/core'
import { Suggestion } from '@tiptap/suggestion'
import type { NodeType } from 'prosemirror-model'
import { Plugin, PluginKey } from 'prosemirror-state'
import type { RoomStore } from '../collaboration/room-store.ts'
import { type ChoiceList, createChoiceList, inWindow } from '../editor/common/choice-list.ts'
import { endUndoStep } from '../editor/typing/undo.ts'
import { t } from '../i18n/translate.ts'
import { initials, inkOn } from '../ui/people/person-look.ts'
import { createChipView, type OpenRun } from './chip-view.ts'
import { type CreateId, createMention, isAtBlockEnd, resetMentions, sendMentions } from './mention-edits.ts'
import type { PeopleDirectory } from './people-directory.ts'
import { agentTarget, findTargets, type MentionItem } from './targets.ts'

/**
 * The options of mentions: the room, the people and agents that can be mentioned, and the handler of a click on a chip
 * with a run.
 */
export type MentionOptions = {
  room: RoomStore
  people: Pick<PeopleDirectory, 'people' | 'agents' | 'refresh' | 'subscribe'>
  onOpenRun: OpenRun
  createId: CreateId
}

/** Inserts a draft mention of the agent and a space at the caret. */
export function askAgent(editor: Editor, createId: CreateId): void {
  const mention = createMention(editor.schema, agentTarget, createId)
  editor
    .chain()
    .focus()
    .insertContent([mention.toJSON(), { type: 'text', text: ' ' }])
    .run()
}

const insertedMeta = 'mentionInserted'
const literalAgent = /(?:^|[\s("'“‘])@([a-z][a-z0-9-]+)([\s,.:;!?])$/i

/**
 * Behaviour of the schema's mention: `@` opens a list, the typed handle of an agent becomes a chip, Enter sends the
 * block as a request (and at its end moves to the next block, so that later words don't join the request), and a pasted
 * mention is a new draft.
 */
export function createMentions(options: MentionOptions): Extension {
  const list = createMentionList()
  const itemsFor = (query: string) => findTargets(options.people.people(), query, options.people.agents())
  let unsubscribe: (() => void) | undefined
  return Extension.create({
    name: 'mentions',
    priority: 1100,

    // People and agents that arrive, or are loaded, while the list is open.
    onCreate() {
      unsubscribe = options.people.subscribe(() => list.refresh(itemsFor, ({ kind, id }) => `${kind} ${id}`))
    },
    onDestroy: () => unsubscribe?.(),

    // A mention is a separate undo step: undoing later typing keeps the mention.
    onTransaction({ transaction }) {
      if (transaction.getMeta(insertedMeta) !== true) return
      endUndoStep(this.editor.state)
    },

    addKeyboardShortcuts() {
      return {
        Enter: ({ editor }) => {
          if (list.isOpen() || editor.view.composing || !editor.isEditable) return false
          const transaction = sendMentions(editor.state, options.createId)
          if (!transaction) return false
          const goesOn = isAtBlockEnd(editor.state)
          editor.view.dispatch(transaction)
          endUndoStep(editor.state)
          return !goesOn
        },
      }
    },

    addInputRules: () => [createLiteralRule(options)],
    addProseMirrorPlugins() {
      return [createSuggestion(this.editor, list, itemsFor, options), createChips(options)]
    },
  })
}

function createLiteralRule({ people, createId }: MentionOptions): InputRule {
  return new InputRule({
    find: literalAgent,
    handler: ({ state, range, match }) => {
      const start = range.from + match[0].indexOf('@')
      const handle = match[1]?.toLowerCase()
      const target = findTargets([], '', people.agents()).find(({ label }) => label === handle)
      if (!target || !allowsMention(state.doc.resolve(start).parent.type)) return null
      const mention = createMention(state.schema, target, createId)
      const after = state.schema.text(match[2] ?? ' ')
      state.tr.replaceWith(start, range.to, [mention, after]).setMeta(insertedMeta, true)
      return undefined
    },
  })
}

function createSuggestion(
  editor: Editor,
  list: MentionList,
  itemsFor: (query: string) => MentionItem[],
  { people, createId }: MentionOptions,
): Plugin {
  return Suggestion<MentionItem, MentionItem>({
    editor,
    pluginKey: new PluginKey('mentionList'),
    char: '@',
    allowedPrefixes: [' ', '(', '"', '“', '\u00a0'],
    items: ({ query }) => {
      void people.refresh()
      return itemsFor(query)
    },
    allow: ({ state, range }) => allowsMention(state.doc.resolve(range.from).parent.type),
    command: ({ range, props }) => {
      const mention = createMention(editor.schema, props, createId)
      const spaced = editor.state.doc.resolve(range.to).nodeAfter?.text?.startsWith(' ') === true
      const target = { from: range.from, to: spaced ? range.to + 1 : range.to }
      const content = [mention.toJSON(), { type: 'text', text: ' ' }]
      editor.chain().focus().insertContentAt(target, content).setMeta(insertedMeta, true).run()
    },
    render: () => list,
    floatingUi: inWindow,
  })
}

function createChips({ room, onOpenRun, createId }: MentionOptions): Plugin {
  return new Plugin({
    key: new PluginKey('mentionChips'),
    props: {
      nodeViews: { mention: createChipView(room, onOpenRun) },
      // A drag inside the text moves the mention; only copies become new requests.
      transformPasted: (slice, view) =>
        isMove(view.dragging) ? slice : resetMentions(slice, view.state.doc, createId),
    },
  })
}

function allowsMention(parent: NodeType): boolean {
  const mention = parent.schema.nodes.mention
  return mention !== undefined && parent.contentMatch.matchType(mention) !== null
}

function isMove(dragging: { slice: unknown; move: boolean } | null): boolean {
  return dragging?.move === true
}

/** The list that `@` opens: the people and agents that can be mentioned. */
type MentionList = ChoiceList<MentionItem>

/** Creates the list for one editor. */
function createMentionList(): MentionList {
  return createChoiceList<MentionItem>({
    name: 'mention-choices',
    label: t('Mention'),
    fill,
  })
}

function fill(option: HTMLElement, { kind, label, color, detail }: MentionItem): void {
  const badge = option.appendChild(document.createElement('span'))
  badge.className = 'mention-badge'
  badge.setAttribute('aria-hidden', 'true')
  badge.dataset.kind = kind
  badge.textContent = kind === 'agent' ? '✦' : initials(label)
  if (color) Object.assign(badge.style, { backgroundColor: color, color: inkOn(color) })
  option.appendChild(document.createElement('span')).textContent = label
  const more = option.appendChild(document.createElement('span'))
  more.className = 'mention-detail'
  more.textContent = detail
}
