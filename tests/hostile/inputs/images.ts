import { concat } from '@copydesk/testing'
import { always, type HostileInput, type Step } from '../hostile-input.ts'
import { limits } from '../limits.ts'

const { imageBytes } = limits
const size10 = `${imageBytes} bytes of an image`
const boundary = 'hostile'
const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52)

const post = (body: Uint8Array, type = `multipart/form-data; boundary=${boundary}`): Step[] => [
  { kind: 'request', by: 'Mallory', method: 'POST', path: '/api/documents/:id/images', type, body },
]

const part = (headers: string, bytes: Uint8Array): Uint8Array =>
  concat(Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`), bytes, Buffer.from('\r\n'))

const end = Buffer.from(`--${boundary}--\r\n`)
const fileHeaders = 'content-disposition: form-data; name="file"; filename="x.png"\r\ncontent-type: image/png'

/** What begins as an image does, and is so long. */
function image(bytes: number): Uint8Array {
  const made = new Uint8Array(bytes)
  made.set(signature)
  return made
}

const form = (
  name: string,
  limit: string,
  size: number,
  expect: HostileInput['expect'],
  make: (size: number) => Uint8Array,
): HostileInput => ({ name, limit, scale: always(size), build: (given) => post(concat(make(given), end)), expect })

/** Images and the forms that bring them. */
export const images: readonly HostileInput[] = [
  form('an image as large as it may be', size10, imageBytes, 201, (size) => part(fileHeaders, image(size))),
  form('an image that is a byte too large', size10, imageBytes + 1, 413, (size) => part(fileHeaders, image(size))),
  form('a file that is no image', 'images told by their bytes', 1_000_000, 415, (size) =>
    part(fileHeaders, new Uint8Array(size)),
  ),
  form('more fields than a form may have', '10 fields of a form', 5000, [400, 413], (size) =>
    concat(
      ...Array.from({ length: size }, (_, index) =>
        part(`content-disposition: form-data; name="f${index}"`, Uint8Array.of(120)),
      ),
    ),
  ),
  form('a part with headers of a megabyte', 'headers of a part', 1_000_000, [201, 400, 413, 415], (size) =>
    part(`${fileHeaders}\r\nx-long: ${'x'.repeat(size)}`, image(100)),
  ),
  form('a field with a name of a megabyte', 'names of fields', 1_000_000, [400, 413, 415], (size) =>
    part(`content-disposition: form-data; name="${'x'.repeat(size)}"`, image(100)),
  ),
  {
    name: 'a form without its boundary',
    limit: 'a form that can be read',
    scale: { ci: 1_000_000, full: 9_000_000 },
    build: (size) => post(new Uint8Array(size).fill(45)),
    expect: [400, 413, 415],
  },
  {
    name: 'a form that never ends',
    limit: 'a form that can be read',
    scale: always(1),
    build: () => post(part(fileHeaders, image(1000)).slice(0, -2)),
    expect: [400, 413, 415],
  },
  {
    name: 'a form of another type',
    limit: 'a form that can be read',
    scale: always(1000),
    build: (size) => post(image(size), 'image/png'),
    expect: 415,
  },
]
