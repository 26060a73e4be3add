import type { Editor } from '@tiptap/core'
import { useEffect, useEffectEvent, useState } from 'react'
import type { DocumentConnection } from '../../collaboration/connection.ts'
import { beginsWithTitle, followHeading, watchOpening } from './title-heading.ts'
import { type TitleInView, TitleMark } from './title-in-view.tsx'
import { TitleLine } from './title-line.tsx'

type TitlePlaceProps = {
  connection: DocumentConnection
  editor: Editor
  inView: TitleInView
  readOnly: boolean
  takesFocus: boolean
}

/** The title above the text, unless the text begins with it (docs/decisions/0028-the-title-is-one-line.md). */
export function TitlePlace({ connection, editor, inView, readOnly, takesFocus }: TitlePlaceProps) {
  const { fragment, meta } = connection
  const mayWrite = useEffectEvent(() => !readOnly)
  // Decided while the document is opened: a heading that is being typed never becomes the title.
  const [isInText, setInText] = useState(() => beginsWithTitle(fragment, meta))
  useEffect(() => {
    if (isInText) return followHeading({ fragment, meta, mayWrite, onParted: () => setInText(false) })
    return watchOpening({ fragment, meta, onBegins: () => setInText(true) })
  }, [isInText, fragment, meta])
  return (
    <>
      <TitleMark inView={inView} />
      {isInText ? (
        <div className="title-in-text" />
      ) : (
        <TitleLine editor={editor} meta={meta} readOnly={readOnly} takesFocus={takesFocus} />
      )}
    </>
  )
}
