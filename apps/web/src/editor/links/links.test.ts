import { schemaExtensions } from '@copydesk/schema'
import { Editor } from '@tiptap/core'
import { EditorState } from 'prosemirror-state'
import { ySyncPluginKey } from 'y-prosemirror'
import { describe, expect, test } from 'vitest'
import { readAddress, readImageAddress, typedLink } from './links.ts'
import { formatShortcut } from '../../common/commands/shortcut-keys.ts'

describe('readAddress', () => {
  test('completes what people leave out', () => {
    expect(readAddress(' example.org/a ')).toBe('https://example.org/a')
    expect(readAddress('ana@example.org')).toBe('mailto:ana@example.org')
    expect(readAddress('/d/other')).toBe('/d/other')
    expect(readAddress('http://example.org')).toBe('http://example.org')
  })

  test('refuses protocols that run code', () => {
    expect(readAddress('javascript:alert(1)')).toBeNull()
    expect(readAddress('java\nscript:alert(1)')).toBeNull()
    expect(readAddress('data:text/html,x')).toBeNull()
    expect(readAddress('  ')).toBeNull()
  })
})

describe('readImageAddress', () => {
  test('takes addresses of the web and paths of this server', () => {
    for (const address of [
      'https://example.org/cat.png',
      'http://localhost:3000/a',
      'http://[::1]/a',
      '/files/a.png',
    ]) {
      expect(readImageAddress(address)).toBe(address)
    }
    expect(readImageAddress(' example.org/cat.png ')).toBe('https://example.org/cat.png')
    expect(readImageAddress('http://192.168.0.7/a.png')).toBe('http://192.168.0.7/a.png')
  })

  test('refuses what can be no image', () => {
    for (const typed of [
      '',
      'cat',
      'a cat',
      'https://cat',
      'https://',
      'ftp://example.org/a',
      'ana@example.org',
      '#a',
    ]) {
      expect(readImageAddress(typed)).toBeNull()
    }
    expect(readImageAddress('//example.org/a.png')).toBeNull()
    expect(readImageAddress('https:example.org')).toBeNull()
  })
})

describe('formatShortcut', () => {
  test('speaks the platform’s language', () => {
    expect(formatShortcut('Mod-Shift-7', false)).toBe('Ctrl+Shift+7')
    expect(formatShortcut('Mod-Shift-7', true)).toBe('⌘⇧7')
    expect(formatShortcut('Mod-b', false)).toBe('Ctrl+B')
  })
})

describe('typedLink', () => {
  test('[LAYOUT-18] links an address that is typed, and none when a document is opened', () => {
    const extensions = schemaExtensions.map((each) => (each.name === 'link' ? typedLink(each) : each))
    const editor = new Editor({ element: null, extensions, content: { type: 'doc', content: [{ type: 'paragraph' }] } })
    const { plugins } = editor.extensionManager
    const empty = EditorState.create({ doc: editor.state.doc, plugins })
    const written = empty.tr.insertText('see example.com ')
    const links = (state: EditorState) => JSON.stringify(state.doc).includes('"link"')
    expect(links(empty.apply(written))).toBe(true)
    const opened = empty.tr
      .insertText('see example.com ')
      .setMeta(ySyncPluginKey, { isChangeOrigin: true, binding: {} })
    expect(links(empty.apply(opened))).toBe(false)
    editor.destroy()
  })
})
