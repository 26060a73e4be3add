import { t } from '../i18n/translate.ts'
import { apiPath, ApiError, readFailure } from './client.ts'

/** Progress and cancellation of an upload. `onProgress` gets the fraction that is sent, 0 to 1. */
export type SendOptions = { signal: AbortSignal; onProgress: (part: number) => void }

/**
 * Stores an image for a document; resolves to its address. Rejects with `ApiError`, and with the abort reason when
 * `signal` fires.
 */
export async function sendImage(document: string, file: File, { signal, onProgress }: SendOptions): Promise<string> {
  signal.throwIfAborted()
  const form = new FormData()
  form.append('file', file)
  const { status, text } = await post(apiPath`/api/documents/${document}/images`, form, signal, onProgress)
  const answer = new Response(text, { status })
  if (!answer.ok) throw await readFailure(answer)
  const url = readUrl(text)
  if (url === undefined) throw new ApiError('internal', t('The server gave no address for the image.'), t('Try again.'))
  return url
}

function readUrl(text: string): string | undefined {
  const answer: unknown = JSON.parse(text)
  const url = typeof answer === 'object' && answer !== null && 'url' in answer ? answer.url : undefined
  // Accepts only an image address of this server.
  return typeof url === 'string' && url.startsWith('/api/documents/') ? url : undefined
}

// `fetch` doesn't report upload progress.
function post(
  path: string,
  body: FormData,
  signal: AbortSignal,
  onProgress: SendOptions['onProgress'],
): Promise<{ status: number; text: string }> {
  const request = new XMLHttpRequest()
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const unreachable = () =>
      reject(new ApiError('unreachable', t('The server can’t be reached.'), t('Check the connection and try again.')))
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total)
    }
    request.onload = () => resolve({ status: request.status, text: request.responseText })
    request.onerror = unreachable
    request.ontimeout = unreachable
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.open('POST', path)
    request.send(body)
  })
}
