import { NodeSelection } from 'prosemirror-state'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { readImageAddress } from '../links.ts'
import type { FormProps } from './form-props.ts'

/** Inserts an image by its address, or changes the selected one. */
export function ImageForm({ editor, onDone }: FormProps) {
  const [before] = useState(() => {
    const { selection } = editor.state
    return selection instanceof NodeSelection && selection.node.type.name === 'image' ? selection.node.attrs : undefined
  })
  const [address, setAddress] = useState(String(before?.src ?? ''))
  const [alt, setAlt] = useState(String(before?.alt ?? ''))
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const src = readImageAddress(address)
    if (src === null) return setProblem('Give the address of an image, such as https://example.org/cat.png.')
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
      <Field
        label="Address of the image"
        type="url"
        inputMode="url"
        autoFocus
        dir="ltr"
        placeholder="https://"
        value={address}
        problem={problem}
        onChange={(event) => setAddress(event.target.value)}
      />
      <Field
        label="Description for those who can’t see it"
        dir="auto"
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
