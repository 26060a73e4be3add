import { inEnglish, type Localizable, type ProjectHost } from '@copydesk/tools'
import { expect, test } from 'vitest'
import { showIndexProgress } from './run-project.ts'

test('[SYMB-5] a run shows how far the index is while it waits for it', async () => {
  const found = {
    ok: true as const,
    places: [],
    total: 0,
    index: { indexed: 0, of: 0, isCurrent: true, isWhole: true },
  }
  const lookUp: ProjectHost['symbols']['findDefinition'] = async (_name, { onProgress }) => {
    onProgress?.({ indexed: 0, of: 0, isCurrent: false, isWhole: true })
    onProgress?.({ indexed: 1_200, of: 5_000, isCurrent: false, isWhole: true })
    return found
  }
  const closed = async (): Promise<never> => Promise.reject(new Error('not asked for'))
  const project = {
    read: closed,
    list: closed,
    search: closed,
    symbols: { findDefinition: lookUp, findImporters: lookUp },
  }
  const shown: string[] = []
  const showActivity = (activity: Localizable, tool = ''): void => void shown.push(`${tool}: ${inEnglish(activity)}`)
  const { symbols } = showIndexProgress(project, { showActivity })
  expect(await symbols.findDefinition('a', { most: 1 })).toBe(found)
  expect(await symbols.findImporters('a', { most: 1 })).toBe(found)
  expect(shown).toEqual([
    'find_definition: Indexing the project: 1200 of 5000 files…',
    'find_importers: Indexing the project: 1200 of 5000 files…',
  ])
})
