import { type Editor, Extension } from '@tiptap/core'
import { Suggestion, type SuggestionKeyDownProps } from '@tiptap/suggestion'
import { type EditorState, type Plugin, PluginKey, type Transaction } from 'prosemirror-state'
import { isOwnEdit } from '../common/from-yjs.ts'
import { englishNames, searchWords } from '../../i18n/search-words.ts'
import { t } from '../../i18n/translate.ts'
import { type ChoiceList, createChoiceList, inWindow } from '../common/choice-list.ts'
import { drawIcon } from '../common/draw-icon.tsx'
import { formatShortcut, isMacLike } from '../../common/commands/shortcut-keys.ts'
import type { SlashItem, SlashOptions } from './slash-items.ts'

const key = new PluginKey<{ active: boolean; range: { from: number; to: number } }>('slashMenu')

/**
 * A `/` typed at the start of a block or after a space opens a list of blocks to insert. Esc closes it, and it remains
 * closed for that slash, also while peers write. No list opens in code, or for a slash that already existed.
 */
export function createSlashMenu(options: SlashOptions): Extension {
  let items: Promise<readonly SlashItem[]> | undefined
  const load = () => {
    items ??= import('./slash-items.ts').then(({ createSlashItems }) => createSlashItems(options))
    // The next call retries a failed import.
    items.catch(() => (items = undefined))
    return items
  }
  const list = createChoiceList<SlashItem>({
    name: 'slash-list',
    label: t('Insert'),
    fill: fillOption,
    groupOf: ({ group }) => group,
  })
  const dismissal = createDismissal()
  return Extension.create({
    name: 'slashMenu',
    // Before the Enter handler of mentions.
    priority: 1150,
    onTransaction: ({ editor }) => dismissal.follow(editor.state),
    addProseMirrorPlugins() {
      return [createPlugin(this.editor, { list, load, dismissal })]
    },
  })
}

type Parts = { list: ChoiceList<SlashItem>; load: () => Promise<readonly SlashItem[]>; dismissal: Dismissal }

function createPlugin(editor: Editor, { list, load, dismissal }: Parts): Plugin {
  return Suggestion<SlashItem, SlashItem>({
    editor,
    pluginKey: key,
    char: '/',
    allowedPrefixes: [' ', '\u00a0'],
    items: async ({ query }) => findSlashItems(await load(), query),
    allow: ({ state, range }) => isPlainText(state, range.from),
    shouldShow: ({ editor: { state }, query, transaction }) => {
      const isOpen = key.getState(state)?.active === true
      return isOpen || (query === '' && isOwnEdit(transaction) && !dismissal.holds(transaction))
    },
    command: ({ editor: current, range, props }) => {
      current.chain().focus().deleteRange(range).run()
      props.run(current)
    },
    render: () => withEarlyChoice(list, ({ view, range }) => dismissal.note(view.state, range.from)),
    floatingUi: inWindow,
  })
}

type Rendered = Omit<ChoiceList<SlashItem>, 'isOpen' | 'refresh'>

/** The list; an Enter pressed before its items are loaded chooses the first. `onDismiss` is called on Escape. */
function withEarlyChoice(list: ChoiceList<SlashItem>, onDismiss: (props: SuggestionKeyDownProps) => void): Rendered {
  let isLoading = false
  let isChosen = false
  return {
    onStart(props) {
      isLoading = props.loading
      isChosen = false
      list.onStart(props)
    },
    onUpdate(props) {
      isLoading = props.loading
      list.onUpdate(props)
      const first = props.items[0]
      if (isLoading || !isChosen) return
      isChosen = false
      if (first) props.command(first)
    },
    onKeyDown(props) {
      const { key } = props.event
      if (key === 'Escape') onDismiss(props)
      if (isLoading && !list.isOpen() && (key === 'Enter' || key === 'Tab')) return (isChosen = true)
      return list.onKeyDown(props)
    },
    onExit: () => list.onExit(),
  }
}

/** Identifies a dismissed slash by the words before it, since remote changes replace every position. */
type Dismissal = {
  note(state: EditorState, slash: number): void
  holds(transaction: Transaction): boolean
  follow(state: EditorState): void
}

function createDismissal(): Dismissal {
  let before: string | undefined
  return {
    note(state, slash) {
      const $slash = state.doc.resolve(slash)
      before = $slash.parent.textBetween(0, $slash.parentOffset + 1, undefined, '\ufffc')
    },
    holds: ({ selection }) => before !== undefined && beforeCaret(selection).startsWith(before),
    follow(state) {
      if (before !== undefined && !beforeCaret(state.selection).startsWith(before)) before = undefined
    },
  }
}

function beforeCaret({ $from }: EditorState['selection']): string {
  return $from.parent.isTextblock ? $from.parent.textBetween(0, $from.parentOffset, undefined, '\ufffc') : ''
}

function isPlainText(state: EditorState, position: number): boolean {
  const $position = state.doc.resolve(position)
  if ($position.parent.type.spec.code === true) return false
  return !$position.marksAcross(state.doc.resolve(position + 1))?.some(({ type }) => type.name === 'code')
}

function fillOption(option: HTMLElement, { label, icon, detail, shortcut }: SlashItem): void {
  const badge = option.appendChild(document.createElement('span'))
  badge.className = 'slash-icon'
  badge.setAttribute('aria-hidden', 'true')
  badge.append(drawIcon(icon))
  option.appendChild(document.createElement('span')).textContent = label
  const hint = detail ?? (shortcut && formatShortcut(shortcut, isMacLike()))
  if (hint === undefined) return
  const small = option.appendChild(document.createElement('span'))
  small.className = 'mention-detail'
  small.setAttribute('aria-hidden', 'true')
  small.textContent = hint
}

/** The items whose label or other words begin with the query, matches of the label first. */
export function findSlashItems(items: readonly SlashItem[], query: string): SlashItem[] {
  const wanted = query.toLowerCase()
  const begins = (text: string) => text.toLowerCase().startsWith(wanted)
  // Users type `heading2` and `codeblock`, since a space would close the list.
  const isNamed = (name: string) => begins(name) || begins(name.replaceAll(' ', ''))
  const hasWord = (text: string) => text.split(' ').some(begins)
  const rank = ({ label, words }: SlashItem) => {
    if (isNamed(label)) return 0
    if (hasWord(label)) return 1
    const isKnown = hasWord(searchWords(words)) || englishNames(label).some((name) => isNamed(name) || hasWord(name))
    return isKnown ? 2 : 3
  }
  return [0, 1, 2].flatMap((wantedRank) => items.filter((item) => rank(item) === wantedRank))
}
