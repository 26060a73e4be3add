import type { Editor } from '@tiptap/core'
import { keydownHandler } from '@tiptap/pm/keymap'
import { useEffect, useSyncExternalStore } from 'react'
import { separatePart } from '../../common/lazy-part.ts'
import { editorCommands } from '../../common/commands/editor-commands.ts'
import { useHelpKeys } from '../../common/commands/use-help-keys.ts'
import { useKeyDown } from '../../common/commands/use-key-down.ts'
import type { Store } from '../../common/store.ts'
import type { WritingUi } from '../../editor/common/editor-ui.ts'
import { insertFiles } from '../../editor/files/file-drops.ts'
import { FindBar } from '../../editor/find/find-bar.tsx'
import { countText } from '../../editor/outline/text-figures.ts'
import { showError } from '../../ui/toasts/toasts.tsx'

const BlockMenu = separatePart(async () => (await import('../../editor/blocks/block-menu.tsx')).BlockMenu)
const ShortcutsOverview = separatePart(async () => (await import('./shortcuts-overview.tsx')).ShortcutsOverview)

const restBeforeLoading = 1200
const idleWithin = 1000

// Loads these parts after the text is shown, before they are needed: keys typed directly after a slash belong to its
// list, and the client may be offline by then.
function preloadParts(): void {
  const parts = [
    import('../../editor/find/find.ts'),
    import('../../editor/blocks/block-parts.ts'),
    import('../../editor/blocks/block-menu.tsx'),
    import('../../editor/toolbar/selection-bubble.tsx'),
  ]
  // A failed import is reported when the part is opened.
  for (const part of parts) part.catch(() => undefined)
}

// The slash list is needed first: it loads when the browser is idle, without waiting for a pause in typing.
function preloadSlashList(): () => void {
  const load = () => void import('../../editor/slash/slash-items.ts').catch(() => undefined)
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(load, idleWithin / 4)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(load, { timeout: idleWithin })
  return () => cancelIdleCallback(request)
}

type WritingLayerProps = { editor: Editor; ui: WritingUi; canEdit: boolean }

/** The writing aids over the text, each loaded when it is opened: search, block menu, overview of shortcuts. */
export function WritingLayer({ editor, ui, canEdit }: WritingLayerProps) {
  const isFinding = useIsOpen(ui.find)
  const isMenuOpen = useIsOpen(ui.blockMenu)
  const isOverviewOpen = useIsOpen(ui.shortcuts)
  useFindKeys(editor, ui, canEdit)
  useHelpKeys(() => ui.shortcuts.set(true))
  useMenuCommands(editor, ui, canEdit)
  useEffect(() => {
    const stop = preloadSlashList()
    const timer = setTimeout(preloadParts, restBeforeLoading)
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
  return (
    <>
      {isFinding && <FindBar editor={editor} ui={ui} canEdit={canEdit} />}
      {isMenuOpen && canEdit && <BlockMenu editor={editor} ui={ui} />}
      {isOverviewOpen && <ShortcutsOverview onClose={() => ui.shortcuts.set(false)} />}
    </>
  )
}

/** Enables the page's menu to call this editor. */
function useMenuCommands(editor: Editor, { find, shortcuts }: WritingUi, canEdit: boolean): void {
  useEffect(() => {
    const importFiles = (files: readonly File[]) => insertFiles(editor.view, files, { onProblem: showError })
    editorCommands.set({
      focus: () => editor.view.focus(),
      find: () => find.set({ withReplace: false }),
      showShortcuts: () => shortcuts.set(true),
      importFiles: canEdit ? importFiles : undefined,
      countText: () => countText(editor.state.doc),
    })
    return () => editorCommands.set(null)
  }, [editor, find, shortcuts, canEdit])
}

function useIsOpen(store: Pick<Store<unknown>, 'subscribe' | 'get'>): boolean {
  return useSyncExternalStore(store.subscribe, () => Boolean(store.get()))
}

/** Mod-F and Mod-Alt-F open find and replace with any focus, unless a dialog is open over the text. */
function useFindKeys({ view }: Editor, { find }: WritingUi, canEdit: boolean): void {
  const open = (withReplace: boolean) => () => {
    find.set({ withReplace })
    return true
  }
  useKeyDown((event) => {
    const isCovered = view.dom.closest('[aria-hidden="true"], [inert]') !== null
    if (event.defaultPrevented || event.isComposing || isCovered) return
    const press = keydownHandler({ 'Mod-f': open(false), 'Mod-Alt-f': open(canEdit) })
    if (press(view, event)) event.preventDefault()
  })
}
