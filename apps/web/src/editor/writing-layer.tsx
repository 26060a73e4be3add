import type { Editor } from '@tiptap/core'
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { BlockMenu } from './blocks/block-menu.tsx'
import { FindBar } from './find/find-bar.tsx'
import { useOverviewKeys } from './overview/use-overview-keys.ts'
import type { WritingUi } from './writing-ui.ts'

const ShortcutsOverview = lazy(async () => ({
  default: (await import('./overview/shortcuts-overview.tsx')).ShortcutsOverview,
}))

type WritingLayerProps = { editor: Editor; ui: WritingUi; canEdit: boolean }

/** The writing aids that stand over the text: search, the menu of a block, the overview of shortcuts. */
export function WritingLayer({ editor, ui, canEdit }: WritingLayerProps) {
  const isOverviewOpen = useSyncExternalStore(ui.shortcuts.subscribe, ui.shortcuts.get)
  useOverviewKeys(ui)
  return (
    <>
      <FindBar editor={editor} ui={ui} canEdit={canEdit} />
      {canEdit && <BlockMenu editor={editor} ui={ui} />}
      {isOverviewOpen && (
        <Suspense fallback={null}>
          <ShortcutsOverview onClose={() => ui.shortcuts.set(false)} />
        </Suspense>
      )}
    </>
  )
}
