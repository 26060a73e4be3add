import type { Editor } from '@tiptap/core'
import { useLayoutEffect, useRef } from 'react'

type TextPlaceProps = { editor: Editor; className: string }

/**
 * Mounts an editor's text. TipTap's own component recreates all node views when it mounts, for those that React draws;
 * this editor has none, and in a long document every block would be drawn twice.
 */
export function TextPlace({ editor, className }: TextPlaceProps) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { dom } = editor.view
    place.current?.append(dom)
    return () => dom.remove()
  }, [editor])
  return <div ref={place} className={className} />
}
