import { describe, expect, test } from 'vitest'
import { documentOf, sessionOn } from '../testing/test-document.ts'
import { findNearest } from './nearest.ts'
import { allSegments } from './segments.ts'

const nearest = (wanted: string, markdown: string): string | undefined => allNearest(wanted, markdown)[0]

function allNearest(wanted: string, markdown: string): string[] {
  const read = sessionOn(documentOf(markdown)).view()
  if (!read.ok) throw new Error(read.text)
  return findNearest(wanted, allSegments(read.view)).map(({ text }) => text)
}

describe('findNearest', () => {
  test('finds what was meant in spite of typing errors, case and encoding', () => {
    const text = 'Unrelated words.\n\nThe quarterly budget was approved in “March” 2025.\n\nMore words about budgets.'
    expect(nearest('the quaterly bugdet was aproved', text)).toBe('The quarterly budget was approved')
    expect(nearest('in "march" 2026', text)).toBe('in “March” 2025.')
    expect(nearest('BUDGET', text)).toBe('budget')
    expect(nearest('résumé', 'my re\u0301sume\u0301s here')).toBe('re\u0301sume\u0301s')
  })

  test('finds up to three different texts that are nearly as similar, best first, none within another', () => {
    expect(allNearest('hallo', 'helo there\n\nHello, helo\n\nhell\n\nhullo\n\nholiday')).toEqual([
      'hullo',
      'Hello,',
      'helo',
    ])
    const sentences = 'The budget of March is fixed.\n\nThe budget of May is fixed.\n\nNobody knows.'
    expect(allNearest('the budget of Mars is fixed', sentences)).toEqual([
      'The budget of March is fixed.',
      'The budget of May is fixed.',
    ])
    expect(allNearest('the quaterly bugdet', 'The quarterly budget of the year')).toEqual(['The quarterly budget'])
  })

  test('finds in scripts that have no spaces', () => {
    expect(nearest('合同的总金额为一百元', '第一条。合同的总金额是一百元整。其他')).toBe('合同的总金额是一百元')
    expect(nearest('東京に行きたい', '私は東京へ行きたいです。')).toBe('東京へ行きたい')
    expect(nearest('회의 일정 변겅', '다음 주 회의 일정 변경 안내')).toBe('회의 일정 변경')
  })

  test('finds nothing where nothing is half alike', () => {
    expect(nearest('zebra crossing', 'Something else altogether.')).toBeUndefined()
    expect(nearest('   ', 'a')).toBeUndefined()
    expect(nearest('x', '')).toBeUndefined()
  })

  test('a very long paragraph and a very long text stay cheap', () => {
    const words = Array.from({ length: 20_000 }, (_, i) => `word${i % 977}`)
    const sought = words.slice(500, 540).join(' ').replace('word510', 'wrod510')
    expect(nearest(sought, words.join(' '))).toContain('word509 word510 word511')
  })
})
