import { failure, type ToolFailure } from '@copydesk/tools'
import { mostBytes } from '../project/read-project.ts'

const mark = '\uFEFF'

/** The exact text of these bytes, including a byte order mark; `undefined` if they aren't UTF-8 or contain a NUL. */
export function exactText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * A text with the line ends and the byte order mark of the file that it replaces: models and text fields of browsers
 * use line feeds only.
 */
export function inStyleOf(base: string, content: string): string {
  const isMarked = base.startsWith(mark) && !content.startsWith(mark)
  const isWindows = base.includes('\r\n') && !/(?<!\r)\n/.test(base) && !content.includes('\r')
  return (isMarked ? mark : '') + (isWindows ? content.replaceAll('\n', '\r\n') : content)
}

/** The reason why a text can't be written: too large to be read again, or not text. `undefined` if it can. */
export function checkContent(content: string): ToolFailure | undefined {
  if (Buffer.byteLength(content) > mostBytes) {
    return failure('too_large', 'The content is larger than 1 MiB.', 'Divide it into several files.')
  }
  if (!content.includes('\0') && content.isWellFormed()) return undefined
  return failure('invalid_input', 'The content is no text.', 'content: text without NUL and half characters.')
}
