import { isSafeUrl, readCaption } from '@copydesk/schema'
import type { Editor } from '@tiptap/core'
import { ExternalLink, X } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { IconButton } from '../../ui/button.tsx'
import { DialogTitle, DialogWindow } from '../../ui/dialog.tsx'
import type { FormProps } from '../common/editor-ui.ts'
import { shortAddress } from '../links/links.ts'
import { selectedImage } from './selected-image.ts'

/**
 * The selected image in full screen, with its caption and its link. Escape, a click outside of it and the button close
 * it.
 */
export function ImageViewer({ editor, onDone }: FormProps) {
  const [{ src, alt, caption, href }] = useState(() => readImage(editor))
  return (
    <DialogWindow
      onClose={onDone}
      cover="dark"
      takesFocus
      returnFocus={() => editor.commands.focus(null, { scrollIntoView: false })}
      onClick={({ target, currentTarget }) => target === currentTarget && onDone()}
      className="fixed inset-0 z-50 flex flex-col items-center justify-center gap-3 p-3 outline-none sm:p-12"
    >
      <DialogTitle className="sr-only">{alt || caption || t('Image')}</DialogTitle>
      <img src={src} alt={alt} className="min-h-0 max-w-full object-contain" />
      {caption !== '' && (
        <p dir="auto" className="max-h-[20vh] max-w-prose shrink-0 overflow-y-auto text-center text-sm text-white">
          <Caption text={caption} />
        </p>
      )}
      {href !== '' && isSafeUrl(href) && (
        <a
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-10 max-w-full items-center gap-1.5 text-sm text-white underline"
        >
          <ExternalLink size={14} aria-hidden className="shrink-0" />
          <bdi dir="ltr" className="truncate">
            {shortAddress(href)}
          </bdi>
          <span className="sr-only">, {t('opens in a new tab')}</span>
        </a>
      )}
      <IconButton
        label={t('Close')}
        onClick={onDone}
        className="absolute! end-2 top-2 bg-black/60 text-white! hover:bg-black!"
        icon={X}
        size={20}
      />
    </DialogWindow>
  )
}

function Caption({ text: caption }: { text: string }) {
  return readCaption(caption).map(({ text, href }, index) =>
    href === undefined ? (
      text
    ) : (
      <a key={index} href={href} target="_blank" rel="noopener noreferrer" className="underline">
        {text}
      </a>
    ),
  )
}

function readImage({ state }: Editor): { src: string; alt: string; caption: string; href: string } {
  const { src, alt, title, href }: Record<string, unknown> = selectedImage(state)?.node.attrs ?? {}
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return { src: text(src), alt: text(alt), caption: text(title), href: text(href) }
}
