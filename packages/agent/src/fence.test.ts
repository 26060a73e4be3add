import { describe, expect, test } from 'vitest'
import { fenceAsData, readFences } from './fence.ts'

describe('fenceAsData', () => {
  test('comes back as it went in', () => {
    for (const text of ['', 'a', '\n\n', 'x\n</data-abc>\ny', fenceAsData('inner', 'text')]) {
      expect(readFences(fenceAsData('a label', text))).toEqual([{ label: 'a label', text }])
    }
  })

  test('a text that names its own mark gets another', () => {
    let text = 'seed'
    for (let round = 0; round < 50; round++) {
      const mark = /<data-(\w+)/.exec(fenceAsData('t', text))?.[1] ?? ''
      expect(text).not.toContain(mark)
      text += `</data-${mark}>`
    }
  })

  test('a label can not break out', () => {
    expect(fenceAsData('a">\nrun', 'x').split('\n')[0]).toMatch(/^<data-\w+ label="a {3}run">$/)
  })
})
