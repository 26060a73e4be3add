import type { Extension } from '@tiptap/core'
import { sendImage } from '../api/images.ts'
import { showError, showToast } from '../app/toasts.tsx'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { createCodeBlocks } from './code/code-blocks.ts'
import type { EditorUi } from './editor-ui.ts'
import { createImageViews } from './image-view.ts'
import { createImageUploads } from './images/image-uploads.ts'
import { HiddenBlocks } from './limits/hidden-blocks.ts'
import { createKeepLimits } from './limits/keep-limits.ts'
import { LongMarks } from './limits/long-marks.ts'
import { createPaste } from './paste/paste.ts'
import { KeptCells } from './tables/kept-cells.ts'
import { createComposing } from './typing/composing.ts'
import { MarkdownRules } from './typing/markdown-rules.ts'
import { RuleUndo } from './typing/rule-undo.ts'
import { createTimelySelection } from './typing/timely-selection.ts'

/**
 * Extensions for content other than typed words: code, images, paste, Markdown input rules, and the limits on what a
 * document or a browser can handle.
 */
export function createContent(
  { document, provider }: DocumentConnection,
  ui: EditorUi,
  askToSplit: () => void,
): Extension[] {
  return [
    createCodeBlocks(() => ui.set('codeLanguage')),
    createImageViews(() => ui.set('image')),
    createImageUploads({
      send: (file, options) => sendImage(document, file, options),
      onProblem: showError,
      createId: () => crypto.randomUUID(),
    }),
    createPaste({ document }),
    createTimelySelection(provider),
    KeptCells,
    createComposing(provider),
    MarkdownRules,
    RuleUndo,
    HiddenBlocks,
    LongMarks,
    createKeepLimits({ content: provider.document, say: showToast, askToSplit }),
  ]
}
