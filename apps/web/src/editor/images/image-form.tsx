import { blockLimits } from '@copydesk/schema'
import { Upload } from 'lucide-react'
import { NodeSelection } from 'prosemirror-state'
import { type FormEvent, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import type { FormProps } from '../common/editor-ui.ts'
import { readImageAddress, tooLongAddress } from '../links/links.ts'
import { acceptedImages } from './image-files.ts'
import { addImages } from './image-uploads.ts'

const longestDescription = 4000

/** Inserts images from this device or one by its address, or changes the selected one. */
export function ImageForm({ editor, onDone }: FormProps) {
  const [before] = useState(() => {
    const { selection } = editor.state
    return selection instanceof NodeSelection && selection.node.type.name === 'image' ? selection.node.attrs : undefined
  })
  const [address, setAddress] = useState(String(before?.src ?? ''))
  const [alt, setAlt] = useState(String(before?.alt ?? ''))
  // A user who edits an existing image nearly always wants to change its description.
  const describes = before !== undefined
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const src = readImageAddress(address)
    if (src === null) return setProblem('Enter the address of an image, such as https://example.org/cat.png.')
    if (src.length > blockLimits.address) return setProblem(tooLongAddress)
    if (before)
      editor
        .chain()
        .focus()
        .updateAttributes('image', { src, alt: alt.trim() || null })
        .run()
    else editor.chain().focus().setImage({ src, alt: alt.trim() }).run()
    onDone()
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3">
      {!before && <FileButton onFiles={(files) => (onDone(), addImages(editor.view, files))} />}
      <Field
        label="Address of the image"
        type="url"
        inputMode="url"
        autoFocus={!describes}
        dir="ltr"
        placeholder="https://"
        value={address}
        problem={problem}
        onChange={(event) => setAddress(event.target.value)}
      />
      <Field
        label="Description for those who can’t see it"
        dir="auto"
        autoFocus={describes}
        maxLength={longestDescription}
        value={alt}
        onChange={(event) => setAlt(event.target.value)}
      />
      <div className="flex justify-end">
        <Button look="primary" type="submit">
          {before ? 'Change' : 'Insert'}
        </Button>
      </div>
    </form>
  )
}

function FileButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={acceptedImages}
        aria-label="Images from this device"
        onChange={(event) => onFiles([...(event.target.files ?? [])])}
      />
      <Button onClick={() => input.current?.click()}>
        <Upload size={15} aria-hidden />
        Choose from this device
      </Button>
      <p className="text-center text-xs text-ink-soft">or paste or drop images into the text, or give an address</p>
    </>
  )
}
