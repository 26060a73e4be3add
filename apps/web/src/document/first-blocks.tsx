import { readBlock } from '@copydesk/schema'
import { getSchema } from '@tiptap/core'
import { DOMSerializer, Fragment, type Node } from 'prosemirror-model'
import { type ReactNode, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import * as Y from 'yjs'
import type { DocumentConnection } from '../collaboration/connection.ts'
import { useFont, useSharedTitle } from '../collaboration/hooks.ts'
import { useNarrow } from '../common/layout/media-queries.ts'
import { drawingProblemOf } from '../editor/limits/drawing-problems.ts'
import { findRuns } from '../editor/limits/long-marks.ts'
import { t } from '../i18n/translate.ts'
import { drawnExtensions } from './editor/extensions.ts'
import { beginsWithTitle } from './title/title-heading.ts'

// The editor draws the others with views of its own, which look different until they have run.
const plain = new Set([
  'paragraph',
  'heading',
  'bulletList',
  'orderedList',
  'listItem',
  'blockquote',
  'horizontalRule',
  'text',
  'hardBreak',
])

// For a shorter text the editor is as fast.
const longText = 500
const shownAtMost = 60
// A page may be hidden before it is painted, or covered.
const longestWaitMs = 500

type FirstBlocksProps = {
  connection: DocumentConnection
  /** Whether the panel will be open. */
  hasPanel: boolean
  children: ReactNode
}

/**
 * A long text's first blocks, at the place and in the form in which the editor in `children` will show them: they are
 * painted before the editor is created. They can't be used; until then the page handles no input in any case. Shows
 * `children` at once for a short text, and for an address that leads to a position in the text.
 */
export function FirstBlocks({ connection, hasPanel, children }: FirstBlocksProps) {
  const [blocks] = useState(() => readFirstBlocks(connection.fragment))
  const [isPainted, setPainted] = useState(blocks.length === 0)
  return isPainted ? children : <Preview {...{ connection, hasPanel, blocks }} onPainted={() => setPainted(true)} />
}

type PreviewProps = Pick<FirstBlocksProps, 'connection' | 'hasPanel'> & {
  blocks: readonly Node[]
  onPainted: () => void
}

function Preview({ connection, hasPanel, blocks, onPainted }: PreviewProps) {
  const { fragment, meta } = connection
  const text = useRef<HTMLDivElement>(null)
  const title = useSharedTitle(meta)
  const narrow = useNarrow()
  const finish = useEffectEvent(onPainted)
  useLayoutEffect(() => {
    const serializer = blocks[0] && DOMSerializer.fromSchema(blocks[0].type.schema)
    if (serializer) text.current?.replaceChildren(serializer.serializeFragment(Fragment.from(blocks)))
    let timer = setTimeout(() => finish(), longestWaitMs)
    const frame = requestAnimationFrame(() => {
      clearTimeout(timer)
      timer = setTimeout(() => finish())
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [blocks])
  return (
    <div inert aria-hidden className="flex min-h-0 flex-1">
      <div className="relative flex min-w-0 flex-1 flex-col">
        <div className="h-12 shrink-0 border-b border-line bg-page" />
        <div data-font={useFont(connection)} className="min-h-0 flex-1 overflow-y-auto bg-surface">
          {beginsWithTitle(fragment, meta) ? (
            <div className="title-in-text" />
          ) : (
            <div className="title-line" data-value={title || t('Untitled')}>
              <textarea dir="auto" rows={1} readOnly placeholder={t('Untitled')} value={title} />
            </div>
          )}
          <div className="relative h-full">
            <div ref={text} className="document-text" />
          </div>
        </div>
        <div className="min-h-8 border-t border-line bg-page max-[899px]:min-h-12" />
      </div>
      {hasPanel && !narrow && <div className="w-(--panel) shrink-0 border-l border-line bg-page" />}
    </div>
  )
}

/** The leading blocks that the editor draws without views of its own; none where the editor is to be shown at once. */
function readFirstBlocks(fragment: Y.XmlFragment): Node[] {
  if (fragment.length < longText || location.hash !== '' || document.hidden) return []
  const schema = getSchema(drawnExtensions())
  const blocks: Node[] = []
  for (const element of fragment.slice(0, shownAtMost)) {
    const block = element instanceof Y.XmlElement ? readBlock(element, schema, new Map()) : undefined
    if (!block || !isPlain(block)) break
    blocks.push(block)
  }
  return blocks
}

function isPlain(block: Node): boolean {
  let isSo = plain.has(block.type.name)
  block.descendants((node) => {
    isSo &&= plain.has(node.type.name) && drawingProblemOf(node) === null
    return isSo
  })
  return isSo && drawingProblemOf(block) === null && findRuns(block, 0, block.content.size).length === 0
}
