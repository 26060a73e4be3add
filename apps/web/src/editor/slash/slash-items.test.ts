import { afterEach, describe, expect, test, vi } from 'vitest'
import { createEditorUi } from '../common/editor-ui.ts'
import { createSlashItems } from './slash-items.ts'
import { findSlashItems } from './slash-menu.ts'

// Only one test uses German: other files of this worker share the modules.
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

const items = createSlashItems({ ui: createEditorUi(), askAgent: () => undefined })
const found = (query: string) => findSlashItems(items, query).map(({ label }) => label)

describe('findSlashItems', () => {
  test('offers everything at first', () => {
    expect(found('')).toHaveLength(items.length)
  })

  test('finds by the beginnings of words, labels first', () => {
    expect(found('head')).toEqual(['Heading 1', 'Heading 2', 'Heading 3'])
    expect(found('heading2')).toEqual(['Heading 2'])
    expect(found('LIST')).toEqual(['Bullet list', 'Numbered list', 'Task list'])
    expect(found('todo')).toEqual(['Task list'])
    expect(found('t').slice(0, 3)).toEqual(['Text', 'Task list', 'Table'])
  })

  test('[LANG-7] finds by German words and by English ones in German', async () => {
    vi.resetModules()
    vi.stubGlobal('navigator', { languages: ['de'] })
    vi.stubGlobal('document', { documentElement: {} })
    vi.stubGlobal('localStorage', { getItem: () => null })
    const [{ startLanguage }, german, menu] = await Promise.all([
      import('../../i18n/translate.ts'),
      import('./slash-items.ts'),
      import('./slash-menu.ts'),
    ])
    await startLanguage()
    const germanItems = german.createSlashItems({ ui: createEditorUi(), askAgent: () => undefined })
    const inGerman = (query: string) => menu.findSlashItems(germanItems, query).map(({ label }) => label)
    const headings = ['Überschrift 1', 'Überschrift 2', 'Überschrift 3']
    expect([inGerman('Überschrift'), inGerman('heading')]).toEqual([headings, headings])
    expect([inGerman('überschrift2'), inGerman('heading2')]).toEqual([['Überschrift 2'], ['Überschrift 2']])
    const lists = ['Nummerierte Liste', 'Aufzählung', 'Aufgabenliste']
    expect([inGerman('Liste').toSorted(), inGerman('list').toSorted()]).toEqual([lists.toSorted(), lists.toSorted()])
    const first = ['Tabelle', 'table', 'Zeilen', 'Bild', 'picture', 'foto', 'ki', 'ai'].map(
      (query) => inGerman(query)[0],
    )
    expect(first).toEqual([...Array(3).fill('Tabelle'), ...Array(3).fill('Bild'), ...Array(2).fill('Agenten fragen')])
  })

  test('finds nothing for what is no block', () => {
    expect(found('usr')).toEqual([])
    expect(found('(')).toEqual([])
  })
})
