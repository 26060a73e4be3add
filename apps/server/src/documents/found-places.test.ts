import { expect, test } from 'vitest'
import { foldText, showableText, sortKey } from '../store/fold-text.ts'
import { rangesOf, snippetOf } from './found-places.ts'

const found = (text: string, query: string): string[] =>
  rangesOf(text, foldText(query)).map(({ from, to }) => text.slice(from, to))

test('[LIST-2] ranges are those of the shown text, also where its characters are folded to more or fewer', () => {
  expect(found('Ärger, ärger', 'ÄRGER')).toEqual(['Ärger', 'ärger'])
  expect(found('the ﬁnal ﬁnding', 'fin')).toEqual(['ﬁn', 'ﬁn'])
  expect(found('ﬃx and 😀 and e\u0301tude', 'étude')).toEqual(['e\u0301tude'])
  expect(found('aaaa', 'aa')).toEqual(['aa', 'aa'])
  expect(found('İstanbul', 'istanbul')).toEqual([])
  expect(found('nothing', 'x')).toEqual([])
})

test('[LIST-2] folded and shown text have their characters at the same places', () => {
  for (const text of ['İSTANBUL ΑΣ', 'ﬃ½…㎏', '😀𝐀 𐐀', 'e\u0301 ẞ Ω', '각각']) {
    expect(foldText(text)).toBe(showableText(text).toLowerCase())
    expect([...foldText(text)]).toHaveLength([...showableText(text)].length)
    expect(foldText(text)).toHaveLength(showableText(text).length)
  }
})

test('[LIST-2] a snippet is one line of whole words around the first place', () => {
  expect(snippetOf('first line\nthe needle\tis here', false, 'needle')).toEqual({
    text: 'first line the needle is here',
    ranges: [{ from: 15, to: 21 }],
  })
  const long = `ord ${'word '.repeat(10)}needle ${'word '.repeat(60)}`
  const snippet = snippetOf(long, true, 'needle')
  expect(snippet?.text).toMatch(/^…word .* word$/)
  expect(snippet?.text.length).toBeLessThanOrEqual(201)
  expect(snippet?.ranges.map(({ from, to }) => snippet.text.slice(from, to))).toEqual(['needle'])
  expect(snippetOf('x'.repeat(300), true, 'xxx')?.ranges.length).toBeGreaterThan(10)
  expect(snippetOf('nothing', false, 'needle')).toBeUndefined()
})

test('[LIST-1] titles sort without accents and letter case, and by the values of numbers', () => {
  const titles = ['Zebra', 'ärger', 'Chapter 10', 'chapter 9', 'Éclair']
  const sorted = titles.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
  expect(sorted).toEqual(['ärger', 'chapter 9', 'Chapter 10', 'Éclair', 'Zebra'])
})
