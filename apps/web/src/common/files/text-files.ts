import { t } from '../../i18n/translate.ts'
/** The dropped items: files, and the names of folders, which browsers pass on without their content. */
export type Dropped = { files: File[]; folders: string[] }

const extensions = ['md', 'markdown', 'mdown', 'txt']
const types = ['text/markdown', 'text/x-markdown', 'text/plain']
const megabytes = 10

/** The `accept` attribute of a file chooser for texts. */
export const acceptedTexts: string = [...extensions.map((each) => `.${each}`), ...types].join(',')

/** Reads the dropped items; must be called during the event. */
export function readDropped(data: Pick<DataTransfer, 'files' | 'items'> | null): Dropped {
  const entries = [...(data?.items ?? [])].map((item) => item.webkitGetAsEntry())
  const folders = entries.flatMap((entry) => (entry?.isDirectory === true ? [entry.name] : []))
  return { files: [...(data?.files ?? [])].filter(({ name }) => !folders.includes(name)), folders }
}

/** Whether a file is Markdown or plain text according to its name, or else its type. */
export function isTextFile({ name, type }: Pick<File, 'name' | 'type'>): boolean {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase()
  return extension === undefined ? types.includes(type) : extensions.includes(extension)
}

/** The text of a file, or why it can't be read, in words for people. */
export type ReadText =
  | { ok: true; text: string }
  | { ok: false; code: 'too_large' | 'unsupported_media_type' | 'invalid_input'; message: string; hint: string }

/** Reads a file as text, whatever its name: only UTF-8 with at least one word. */
export async function readTextFile(file: Pick<File, 'name' | 'size' | 'arrayBuffer'>): Promise<ReadText> {
  if (file.size > megabytes * 1024 * 1024) {
    const message = t('“{name}” is larger than {count, number} MB.', { name: file.name, count: megabytes })
    return { ok: false, code: 'too_large', message, hint: t('Split it into several files.') }
  }
  const text = await file.arrayBuffer().then(decode, () => null)
  if (text === null) {
    const message = t('“{name}” is not a text.', { name: file.name })
    return { ok: false, code: 'unsupported_media_type', message, hint: t('Save it as text in UTF-8, and try again.') }
  }
  if (text.trim() === '')
    return {
      ok: false,
      code: 'invalid_input',
      message: t('“{name}” is empty.', { name: file.name }),
      hint: t('Choose another file.'),
    }
  return { ok: true, text }
}

function decode(bytes: ArrayBuffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

/** The names of files in a sentence, the first three. */
export function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => t('“{name}”', { name }))
  if (names.length > 3) {
    return t('{names} and {count, number} more', { names: shown.join(', '), count: names.length - 3 })
  }
  const last = shown.pop() ?? ''
  return shown.length === 0 ? last : t('{names} and {last}', { names: shown.join(', '), last })
}
