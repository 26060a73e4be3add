import type { Me } from '@copydesk/protocol'
import type { Editor } from '@tiptap/core'
import { useEffect, useEffectEvent } from 'react'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import type { usePanel } from '../../common/layout/page-layout.ts'
import { paletteAdditions } from '../../common/commands/palette-additions.ts'
import type { EditorUi } from '../../editor/common/editor-ui.ts'
import type { Following } from '../../editor/peers/following.ts'
import type { EditingModeStore } from '../../editor/suggesting/editing-mode.ts'
import { useDocumentCommands } from './document-commands.ts'

/** The parts of a document's page that the palette needs. */
export type PaletteSourceProps = {
  connection: DocumentConnection
  editor: Editor
  ui: EditorUi
  me: Me
  panel: Pick<ReturnType<typeof usePanel>, 'showChat'>
  following: Following
  mode: Pick<EditingModeStore, 'set'>
  canEdit: boolean
  canComment: boolean
}

/** Registers the palette's entries for a document; renders nothing. */
export function PaletteSource(props: PaletteSourceProps) {
  const commands = useDocumentCommands(props.connection).flat()
  const read = useEffectEvent(async () => (await import('./document-offers.ts')).readOffers(props, commands))
  useEffect(() => {
    paletteAdditions.set(() => read())
    return () => paletteAdditions.set(null)
  }, [])
  return null
}
