import { Extension } from '@tiptap/core'
import { Plugin, PluginKey } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { type EditingMode, type EditingModeStore, modeAppearances } from './editing-mode.ts'
import type { OwnChanges } from './own-changes.ts'
import type { Tracker } from './tracker.ts'

/** The options of suggesting: the mode, and which changes are this user's. */
export type SuggestingOptions = { mode: EditingModeStore; own: OwnChanges }

/**
 * In the mode `suggesting`, converts all of this user's edits to suggested changes, in the same transaction, so that no
 * peer sees them untracked and undo reverts both. Text of an input method is tracked when its composition ends. Remote
 * changes and undo are applied unchanged.
 */
export function createSuggesting(options: SuggestingOptions): Extension {
  return Extension.create({
    name: 'suggesting',
    // After all plugins that change the text themselves, so that their changes are tracked too.
    priority: 1,
    addProseMirrorPlugins: () => [createSuggestingPlugin(options)],
  })
}

export function createModeKeys(mode: Pick<EditingModeStore, 'set'>): Extension {
  const choose = (wanted: EditingMode) => () => {
    mode.set(wanted)
    return true
  }
  return Extension.create({
    name: 'modeKeys',
    // Before the keys of blocks, some of which use the same letters without Shift.
    priority: 1000,
    addKeyboardShortcuts: () => ({
      [modeAppearances.editing.shortcut]: choose('editing'),
      [modeAppearances.suggesting.shortcut]: choose('suggesting'),
      [modeAppearances.viewing.shortcut]: choose('viewing'),
    }),
  })
}

/** The plugin that tracks, for a state with or without a view. Its code is loaded with the mode. */
export function createSuggestingPlugin({ mode, own }: SuggestingOptions): Plugin {
  let view: EditorView | undefined
  let tracker: Tracker | undefined
  const isSuggesting = () => mode.get() === 'suggesting'
  const get = () => (tracker ??= mode.tools()?.createTracker({ isSuggesting, own, view: () => view }))
  return new Plugin({
    key: new PluginKey('suggestingMode'),
    appendTransaction: (transactions, before, after) => get()?.append(transactions, before, after) ?? null,
    props: {
      handleKeyDown: (target, event) => get()?.noteKey(target, event) ?? false,
      handleDOMEvents: { beforeinput: (target, event) => get()?.noteInput(target, event) ?? false },
    },
    view(created) {
      view = created
      const stop = mode.subscribe(() => tracker?.settle())
      return {
        destroy() {
          stop()
          tracker?.close()
          view = undefined
        },
      }
    },
  })
}
