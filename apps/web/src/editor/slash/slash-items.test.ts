import { describe, expect, test } from 'vitest'
import { createEditorUi } from '../common/editor-ui.ts'
import { createSlashItems } from './slash-items.ts'
import { findSlashItems } from './slash-menu.ts'

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

  test('finds nothing for what is no block', () => {
    expect(found('usr')).toEqual([])
    expect(found('(')).toEqual([])
  })
})
