import { blockLimits } from '@copydesk/schema'
import type { Editor } from '@tiptap/core'
import { Upload } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { useFields } from '../../ui/fields/form.tsx'
import type { FormProps } from '../common/editor-ui.ts'
import { readImageAddress, tooLongAddress } from '../links/links.ts'
import { acceptedImages } from './image-files.ts'
import { addImages, replaceImage } from './image-uploads.ts'
import { changeImage, selectedImage } from './selected-image.ts'

const longestDescription = 4000

type Words = { address: string; alt: string }

/**
 * Inserts images from this device or one by its address; or changes the selected one, which keeps its width, alignment,
 * caption and comments.
 */
export function ImageForm({ editor, onDone }: FormProps) {
  const [before] = useState(() => readSelected(editor))
  const { values: words, field } = useFields<keyof Words>(before ?? { address: '', alt: '' })
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    // An unchanged address may be of a kind that users can't enter.
    const src = words.address === before?.address ? words.address : readImageAddress(words.address)
    if (src === null) return setProblem(t('Enter the address of an image, such as https://example.org/cat.png.'))
    if (src.length > blockLimits.address) return setProblem(tooLongAddress)
    const attrs = { src, alt: words.alt.trim() || null }
    const image = selectedImage(editor.state)
    if (!before) editor.chain().focus().insertContent({ type: 'image', attrs }).run()
    else if (image) changeImage(editor.view, image.position, differing(attrs, before))
    onDone()
  }
  const send = (files: File[]) => {
    onDone()
    const [file] = files
    if (!before) addImages(editor.view, files)
    else if (file) replaceImage(editor.view, file)
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3">
      <FileButton isForSeveral={!before} onFiles={send} />
      <Field
        label={t('Address of the image')}
        type="url"
        inputMode="url"
        autoFocus={!before}
        dir="ltr"
        placeholder="https://"
        problem={problem}
        {...field('address')}
      />
      <Field
        label={t('Description for those who can’t see it')}
        dir="auto"
        // A user who edits an existing image usually wants to change its description.
        autoFocus={before !== undefined}
        maxLength={longestDescription}
        {...field('alt')}
      />
      <Button look="primary" type="submit" className="self-end">
        {before ? t('Change') : t('Insert')}
      </Button>
    </form>
  )
}

// Others may have changed the fields that the user has not edited.
function differing(attributes: Record<string, string | null>, { address, alt }: Words) {
  const shown: Record<string, string> = { src: address, alt }
  return Object.fromEntries(Object.entries(attributes).filter(([name, value]) => (value ?? '') !== shown[name]))
}

function readSelected({ state }: Editor): Words | undefined {
  const attributes: Record<string, unknown> | undefined = selectedImage(state)?.node.attrs
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return attributes && { address: text(attributes.src), alt: text(attributes.alt) }
}

type FileButtonProps = { isForSeveral: boolean; onFiles: (files: File[]) => void }

function FileButton({ isForSeveral, onFiles }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple={isForSeveral}
        accept={acceptedImages}
        aria-label={isForSeveral ? t('Images from this device') : t('Image from this device')}
        onChange={(event) => onFiles([...(event.target.files ?? [])])}
      />
      <Button onClick={() => input.current?.click()}>
        <Upload size={15} aria-hidden />
        {isForSeveral ? t('Choose from this device') : t('Replace by another file')}
      </Button>
      {isForSeveral && (
        <p className="text-center text-xs text-ink-soft">
          {t('or paste or drop images into the text, or give an address')}
        </p>
      )}
    </>
  )
}
