import type { Editor } from '@tiptap/core'
import {
  AlignHorizontalJustifyCenter,
  AlignHorizontalJustifyStart,
  Captions,
  type LucideIcon,
  Maximize2,
  Pencil,
  MoveHorizontal,
} from 'lucide-react'
import { type EnglishText, t } from '../../i18n/translate.ts'
import type { EditorUi } from '../common/editor-ui.ts'
import { useEditorState } from '../common/use-editor-state.ts'
import { ToolbarButton } from '../toolbar/toolbar-button.tsx'
import { changeImage, editCaption, fullWidth, selectedImage } from './selected-image.ts'

type Place = 'left' | 'center' | 'full'

const places: readonly { place: Place; label: EnglishText; icon: LucideIcon }[] = [
  { place: 'left', label: 'Left', icon: AlignHorizontalJustifyStart },
  { place: 'center', label: 'Centre', icon: AlignHorizontalJustifyCenter },
  { place: 'full', label: 'Full width', icon: MoveHorizontal },
]

type ImageActionsProps = { editor: Editor; ui: EditorUi; canEdit: boolean }

/** The buttons for the selected image: its alignment, its caption, its form, and its view in full screen. */
export function ImageActions({ editor, ui, canEdit }: ImageActionsProps) {
  const current = useEditorState(editor, ({ state }) => placeOf(selectedImage(state)?.node.attrs))
  const mayEdit = useEditorState(editor, ({ isEditable }) => isEditable) && canEdit
  return (
    <>
      {mayEdit && (
        <>
          {places.map(({ place, label, icon }) => (
            <ToolbarButton
              key={place}
              label={t(label)}
              icon={icon}
              pressed={place === current}
              onPress={() => putImage(editor, place)}
            />
          ))}
          <ToolbarButton label={t('Caption')} icon={Captions} onPress={() => editCaption(editor.view)} />
          <ToolbarButton label={t('Edit image')} icon={Pencil} onPress={() => ui.set('image')} />
        </>
      )}
      <ToolbarButton label={t('Full screen')} icon={Maximize2} onPress={() => ui.set('imageView')} />
    </>
  )
}

function placeOf(attributes: Record<string, unknown> | undefined): Place | 'right' {
  if (attributes?.width === fullWidth) return 'full'
  return attributes?.align === 'center' || attributes?.align === 'right' ? attributes.align : 'left'
}

function putImage({ view, state }: Editor, place: Place): void {
  const image = selectedImage(state)
  if (!image) return
  const { width, align }: Record<string, unknown> = image.node.attrs
  const next = {
    full: { width: fullWidth, align },
    left: { width: width === fullWidth ? null : width, align: null },
    center: { width: width === fullWidth ? null : width, align: 'center' },
  }[place]
  changeImage(view, image.position, { ...next, height: null })
}
