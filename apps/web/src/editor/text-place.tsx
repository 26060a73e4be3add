import type { Editor } from '@tiptap/core'
import { useLayoutEffect, useRef } from 'react'

type TextPlaceProps = { editor: Editor; className: string }

/**
 * Where the text of an editor stands. TipTap's own component makes all node views anew when it is shown, for those that React draws; there are
 * none here, and in a long document it would draw every block twice.
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
