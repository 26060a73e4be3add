import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RequestError } from '../../common/errors.ts'

const hint = 'Send a multipart form with one `file`.'
const fieldBytes = 1024
const fieldNameCharacters = 100
const fieldsAtMost = 10

/** Lets the routes of `app` accept multipart forms with one file of at most `fileBytes`. */
export async function acceptForms(app: FastifyInstance, fileBytes: number): Promise<void> {
  // One file more than allowed, so that a second one is detected.
  await app.register(multipart, {
    limits: {
      fileSize: fileBytes,
      files: 2,
      fields: fieldsAtMost,
      fieldSize: fieldBytes,
      headerPairs: 20,
      parts: fieldsAtMost + 2,
    },
  })
}

/**
 * The one `file` of a form and its name, with at most `fileBytes`. Reads the form to its end; ignores other fields.
 * @throws RequestError `unsupported_media_type` if the body is not a form, `too_large` for a file over the limit,
 * `invalid_input` for every other form.
 */
export async function readUpload(request: FastifyRequest, fileBytes: number): Promise<{ name: string; bytes: Buffer }> {
  if (!request.isMultipart()) throw new RequestError('unsupported_media_type', 'Not a multipart form.', hint)
  let found: { name: string; bytes: Buffer } | undefined
  try {
    for await (const part of request.parts({ limits: { fileSize: fileBytes } })) {
      if (part.type === 'field') requireSmall(part.fieldname, part)
      else if (found) throw new RequestError('invalid_input', 'file: there are several.', hint)
      else found = await readFile(part)
    }
  } catch (error) {
    throw asRefusal(error)
  }
  if (found) return found
  throw new RequestError('invalid_input', 'file: missing.', hint)
}

async function readFile(part: MultipartFile): Promise<{ name: string; bytes: Buffer }> {
  if (part.fieldname !== 'file') {
    throw new RequestError('invalid_input', 'file: missing; the form has a file under another name.', hint)
  }
  return { name: part.filename, bytes: await part.toBuffer() }
}

function requireSmall(name: string, { valueTruncated }: { valueTruncated: boolean }): void {
  if (!valueTruncated && name.length <= fieldNameCharacters) return
  const message = `${name.slice(0, fieldNameCharacters)}: a field has at most ${fieldBytes} bytes, its name ${fieldNameCharacters}.`
  throw new RequestError('invalid_input', message, hint)
}

/** All errors of the parser concern the form; only their message names the fault. */
function asRefusal(error: unknown): RequestError {
  if (error instanceof RequestError) return error
  const { code, message } = error as { code?: string; message?: string }
  if (code === 'FST_REQ_FILE_TOO_LARGE')
    return new RequestError('too_large', 'The file is too large.', 'Make it smaller.')
  return new RequestError('invalid_input', `The form can't be read: ${message ?? 'unknown'}.`, hint)
}
