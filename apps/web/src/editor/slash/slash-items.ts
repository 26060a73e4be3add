import type { Editor } from '@tiptap/core'
import { ImagePlus, type LucideIcon, Minus, Pi, Sigma, Sparkles, Table } from 'lucide-react'
import { TextSelection } from 'prosemirror-state'
import { type EnglishText, t } from '../../i18n/translate.ts'
import { type BlockKind, blockKinds } from '../toolbar/turn-into.ts'
import type { EditorUi } from '../common/editor-ui.ts'
import { openTable } from '../toolbar/actions.ts'

/** One item of the list that `/` opens. `run` acts at the position of the slash, which is already deleted. */
export type SlashItem = {
  label: string
  group: string
  icon: LucideIcon
  detail?: string
  shortcut?: string
  /** Other search terms for it. */
  words: EnglishText
  run: (editor: Editor) => unknown
}

/**
 * The options of the list: the state of the forms that some items open, and a function that inserts a mention of the
 * agent.
 */
export type SlashOptions = { ui: EditorUi; askAgent: (editor: Editor) => void }

const groups = { agent: 'Agent', text: 'Text', insert: 'Insert' } as const satisfies Record<string, EnglishText>

/** All items of the slash list, by groups. */
export function createSlashItems({ ui, askAgent }: SlashOptions): readonly SlashItem[] {
  return [
    {
      label: t('Ask the agent'),
      group: t(groups.agent),
      icon: Sparkles,
      detail: '@agent',
      words: 'ai help write',
      run: askAgent,
    },
    ...blockKinds.map(fromKind),
    {
      label: t('Table'),
      group: t(groups.insert),
      icon: Table,
      words: 'grid rows columns',
      run: (editor) => openTable(editor, ui),
    },
    {
      label: t('Image'),
      group: t(groups.insert),
      icon: ImagePlus,
      words: 'picture photo upload',
      run: () => ui.set('image'),
    },
    {
      label: t('Formula block'),
      group: t(groups.insert),
      icon: Sigma,
      words: 'math latex equation',
      run: () => ui.set('blockMath'),
    },
    {
      label: t('Inline formula'),
      group: t(groups.insert),
      icon: Pi,
      words: 'math latex inline',
      run: () => ui.set('inlineMath'),
    },
    {
      label: t('Divider'),
      group: t(groups.insert),
      icon: Minus,
      words: 'rule horizontal line hr separator',
      run: (editor) => editor.chain().focus().setHorizontalRule().run(),
    },
  ]
}

function fromKind({ label, icon, shortcut, words, apply }: BlockKind): SlashItem {
  return {
    label: t(label),
    group: t(groups.text),
    icon,
    shortcut,
    words,
    run: (editor) => {
      if (editor.state.selection.$from.parent.content.size > 0) insertBelow(editor)
      apply(editor)
    },
  }
}

/** Inserts an empty paragraph below the block at the caret, and puts the caret into it. */
function insertBelow({ view }: Editor): void {
  const { state } = view
  const { $from } = state.selection
  const paragraph = state.schema.nodes.paragraph
  const below = $from.after()
  if (!paragraph || !$from.node(-1).canReplaceWith($from.indexAfter(-1), $from.indexAfter(-1), paragraph)) return
  const transaction = state.tr.insert(below, paragraph.create())
  view.dispatch(transaction.setSelection(TextSelection.create(transaction.doc, below + 1)).scrollIntoView())
}
