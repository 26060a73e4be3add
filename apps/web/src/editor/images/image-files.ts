import { ApiError } from '../../api/client.ts'
import { t } from '../../i18n/translate.ts'

const types = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']
const limit = 10 * 1024 * 1024

/** The types for the `accept` attribute of a file chooser. */
export const acceptedImages: string = types.join(',')

/** Whether a file is an image of a supported type, according to its own type. */
export function isImageFile({ type }: Pick<File, 'type'>): boolean {
  return types.includes(type)
}

/**
 * The error for a file that the server would certainly refuse, before it is uploaded; undefined for a file that may be
 * uploaded.
 */
export function problemOf(file: Pick<File, 'name' | 'type' | 'size'>): ApiError | undefined {
  const { name } = file
  if (!isImageFile(file)) {
    return new ApiError(
      'unsupported_media_type',
      t('“{name}” is not an image that can be shown here.', { name }),
      t('Use PNG, JPEG, GIF, WebP or AVIF.'),
    )
  }
  if (file.size > limit) {
    return new ApiError(
      'too_large',
      t('“{name}” is larger than {count, number} MB.', { name, count: 10 }),
      t('Make it smaller and add it again.'),
    )
  }
  return undefined
}

/**
 * The files of a paste or a drop; empty if it contains text. Word processors and spreadsheets add a picture of the
 * copied text to the clipboard, and a browser adds the address of a copied image to the image.
 */
export function filesOf(data: Pick<DataTransfer, 'files' | 'getData'> | null): File[] {
  const files = data ? [...data.files] : []
  if (files.length === 0) return []
  const html = data?.getData('text/html') ?? ''
  return html === '' || isOnlyImage(html) ? files : []
}

function isOnlyImage(html: string): boolean {
  const body = html.replace(/<!--[^]*?-->/g, '').replace(/<(?:meta|head|style)\b[^]*?>/gi, '')
  return /<img\b/i.test(body) && body.replace(/<[^>]*>/g, '').trim() === ''
}
