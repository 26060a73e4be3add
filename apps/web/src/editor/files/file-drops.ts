import { Extension } from '@tiptap/core'
import { Plugin, PluginKey, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { ApiError } from '../../api/client.ts'
import { type Dropped, isTextFile, namesOf, readDropped, readTextFile } from '../../common/files/text-files.ts'
import { t } from '../../i18n/translate.ts'
import { mayWrite } from '../common/may-write.ts'
import { toPosition, toRelative } from '../common/positions.ts'
import { filesOf, isImageFile } from '../images/image-files.ts'
import { addImages } from '../images/image-uploads.ts'

/** The options for dropped files: `onProblem` reports a file that isn't added, and why. */
export type FileDropOptions = { onProblem: (problem: unknown) => void }

/**
 * Handles dropped and pasted files: uploads images, inserts the content of Markdown and text files at the position as
 * if it was pasted there, and refuses all other files with a message that lists the accepted types.
 */
export function createFileDrops(options: FileDropOptions): Extension {
  return Extension.create({
    name: 'fileDrops',
    addProseMirrorPlugins: () => [
      new Plugin({
        key: new PluginKey('fileDrops'),
        props: {
          handlePaste(view, event) {
            const files = mayWrite(view) ? filesOf(event.clipboardData) : []
            insertFiles(view, files, options)
            return files.length > 0
          },
          handleDrop(view, event, _slice, isMove) {
            if (isMove || view.dragging || !mayWrite(view)) return false
            const dropped = readDropped(event.dataTransfer)
            if (dropped.files.length + dropped.folders.length === 0) return false
            const place = view.posAtCoords({ left: event.clientX, top: event.clientY })
            addFiles(view, dropped, place?.pos ?? view.state.doc.content.size, options)
            // Otherwise the browser would navigate to the file.
            event.preventDefault()
            return true
          },
        },
      }),
    ],
  })
}

export function insertFiles(view: EditorView, files: readonly File[], options: FileDropOptions): void {
  if (files.length === 0 || !mayWrite(view)) return
  if (!view.state.selection.empty) view.dispatch(view.state.tr.deleteSelection())
  addFiles(view, { files: [...files], folders: [] }, view.state.selection.from, options)
}

function addFiles(view: EditorView, { files, folders }: Dropped, position: number, { onProblem }: FileDropOptions) {
  const images = files.filter(isImageFile)
  const texts = files.filter((file) => !isImageFile(file) && isTextFile(file))
  const others = files.filter((file) => !images.includes(file) && !texts.includes(file)).map(({ name }) => name)
  const refused = [...others, ...folders]
  if (refused.length > 0) onProblem(refusalOf(refused, folders.length > 0))
  if (images.length > 0) addImages(view, images, position)
  if (texts.length > 0) addTexts(view, texts, position, onProblem).catch(onProblem)
}

function refusalOf(names: readonly string[], hasFolders: boolean): ApiError {
  const hint = t(
    hasFolders
      ? 'Drop the files of a folder instead of the folder.'
      : 'Images (PNG, JPEG, GIF, WebP, AVIF), Markdown and text files can be. From other programs, copy and paste the text.',
  )
  return new ApiError('unsupported_media_type', t('{names} can’t be added here.', { names: namesOf(names) }), hint)
}

/** Several texts are inserted one after the other, in one step. */
async function addTexts(
  view: EditorView,
  files: readonly File[],
  position: number,
  onProblem: FileDropOptions['onProblem'],
): Promise<void> {
  const anchor = toRelative(view.state, position)
  const read = await Promise.all(files.map(readTextFile))
  for (const each of read) if (!each.ok) onProblem(new ApiError(each.code, each.message, each.hint))
  const text = read.flatMap((each) => (each.ok ? [each.text] : [])).join('\n\n')
  const { insertMarkdown } = await import('../paste/markdown-text.ts')
  if (view.isDestroyed) return
  const now = toPosition(view.state, anchor) ?? Math.min(position, view.state.doc.content.size)
  insertMarkdown(view, text, TextSelection.near(view.state.doc.resolve(now)))
}
