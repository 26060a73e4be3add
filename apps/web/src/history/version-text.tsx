import type { DocumentFont, VersionDiff } from '@copydesk/protocol'
import { schema, schemaExtensions } from '@copydesk/schema'
import { Editor, Extension } from '@tiptap/core'
import { Plugin, PluginKey } from 'prosemirror-state'
import { useEffect, useRef } from 'react'
import { createCodeBlocks } from '../editor/code/code-blocks.ts'
import { createImageViews } from '../editor/images/image-view.ts'
import { createMath } from '../editor/math/math-view.ts'
import { t } from '../i18n/translate.ts'
import { activeRules, withReviewClasses } from '../review/text/review-classes.ts'
import { createSheet, drawBoxes } from '../review/text/review-extension.ts'
import './history.css'

type VersionTextProps = {
  font: DocumentFont
  diff: VersionDiff
  /** The change that is highlighted and scrolled to. */
  active: string | undefined
}

/** The read-only text of a version in the page's style, with its changes highlighted. */
export function VersionText({ font, diff, active }: VersionTextProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current: parent } = place
    return parent ? showText(parent, diff) : undefined
  }, [diff])
  useEffect(() => {
    const { current: parent } = place
    return parent && active !== undefined ? emphasize(parent, active) : undefined
  }, [diff, active])
  const texts = {
    ['--moved-here' as string]: JSON.stringify(t('Moved here')),
    ['--moved-from' as string]: JSON.stringify(t('Moved from here')),
  }
  return <div ref={place} data-font={font} className="history-text" style={texts} />
}

function showText(parent: HTMLElement, { document }: VersionDiff): () => void {
  const content = schema.nodeFromJSON(document)
  const nothing = () => undefined
  const editor = new Editor({
    element: parent,
    extensions: [
      ...schemaExtensions.map(withReviewClasses),
      createMath({ onEdit: nothing }),
      createCodeBlocks(nothing),
      createImageViews({ onEdit: nothing, onView: nothing }),
      Boxes,
    ],
    content: content.toJSON() as Record<string, unknown>,
    editable: false,
    injectCSS: false,
    editorProps: {
      attributes: {
        class: 'document-text',
        role: 'document',
        'aria-label': t('Text of this version'),
        tabindex: '0',
      },
    },
  })
  return () => editor.destroy()
}

const Boxes = Extension.create({
  name: 'historyBoxes',
  addProseMirrorPlugins: () => [
    new Plugin({
      key: new PluginKey('historyBoxes'),
      props: { decorations: drawBoxes },
    }),
  ],
})

function emphasize(parent: HTMLElement, change: string): () => void {
  const sheet = createSheet()
  sheet.put(activeRules(null, [change]))
  const selector = `[data-change="${CSS.escape(change)}"],[data-suggestion*='"id":"${CSS.escape(change)}"']`
  parent.querySelector(selector)?.scrollIntoView({ block: 'center' })
  return sheet.remove
}
