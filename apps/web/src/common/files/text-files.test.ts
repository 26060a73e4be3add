import { expect, test } from 'vitest'
import { isTextFile, namesOf, readDropped, readTextFile } from './text-files.ts'

test('a text file is known by its name, or else by its type', () => {
  for (const name of ['a.md', 'a.b.MARKDOWN', 'a.txt']) expect(isTextFile({ name, type: '' })).toBe(true)
  expect(isTextFile({ name: 'README', type: 'text/plain' })).toBe(true)
  for (const name of ['a.docx', 'a.html', 'md', '.gitignore']) expect(isTextFile({ name, type: '' })).toBe(false)
  expect(isTextFile({ name: 'a.rtf', type: 'text/plain' })).toBe(false)
})

test('[WRITE-21] what isn’t text is refused whatever its name says, and so are empty and too large files', async () => {
  const read = (...parts: BlobPart[]) => readTextFile(new File(parts, 'a.md'))
  expect(await read('\uFEFF# Ä')).toEqual({ ok: true, text: '# Ä' })
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a])
  for (const parts of [[png], ['a\0b'], [new Uint8Array([0xff, 0xfe, 0x41, 0x00])]])
    expect(await read(...parts)).toMatchObject({ ok: false, code: 'unsupported_media_type' })
  expect(await read(' \n')).toMatchObject({ ok: false, code: 'invalid_input', message: '“a.md” is empty.' })
  const large = { name: 'a.md', size: 11 * 1024 * 1024, arrayBuffer: () => Promise.reject(new Error('read')) }
  expect(await readTextFile(large)).toMatchObject({ ok: false, code: 'too_large' })
  // A folder in a browser that doesn't distinguish folders from files.
  expect(await readTextFile({ ...large, size: 4096 })).toMatchObject({ ok: false, code: 'unsupported_media_type' })
})

test('[WRITE-21] folders are told from files', () => {
  const item = (name: string, isDirectory: boolean) => ({ webkitGetAsEntry: () => ({ name, isDirectory }) })
  const files = [new File([], 'notes.md'), new File([], 'Folder')]
  const data = { files, items: [item('notes.md', false), item('Folder', true)] } as unknown as DataTransfer
  expect(readDropped(data)).toEqual({ files: [files[0]], folders: ['Folder'] })
  expect(readDropped(null)).toEqual({ files: [], folders: [] })
})

test('names of files in a sentence', () => {
  expect(namesOf(['a'])).toBe('“a”')
  expect(namesOf(['a', 'b'])).toBe('“a” and “b”')
  expect(namesOf(['a', 'b', 'c'])).toBe('“a”, “b” and “c”')
  expect(namesOf(['a', 'b', 'c', 'd', 'e'])).toBe('“a”, “b”, “c” and 2 more')
})
