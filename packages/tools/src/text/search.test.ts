import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalize } from './normalize.ts'
import { requiredLiteral } from './required-literal.ts'
import { createSearcher } from './search.ts'

function places(query: string, text: string, isRegex = false, matchCase = false): string[] {
  const searcher = createSearcher(query, isRegex, matchCase)
  if (!searcher.ok) throw new Error(searcher.text)
  return searcher.searcher.search(text).map(([from, to]) => text.slice(from, to))
}

describe('normalize', () => {
  test('makes the encodings of one text the same, and leads back to the original', () => {
    const texts = [
      '“Ça va – été…”',
      '“Ça va – été…”'.normalize('NFD'),
      '한국어'.normalize('NFD'),
      '한국어',
      'a\u00A0b',
      '👩‍👩‍👧 e\u0301',
    ]
    for (const text of texts) {
      const normalized = normalize(text)
      expect(normalized.text).toBe(normalize(text.normalize('NFC')).text)
      expect(normalized.start(normalized.text.length)).toBe(text.length)
      expect(normalized.isAligned && normalized.text.length !== text.length).toBe(false)
    }
    expect(normalize('“Ça va – été…”').text).toBe('"Ça va - été..."')
  })
})

describe('createSearcher', () => {
  test('plain text ignores case and encoding, and answers places in the original', () => {
    expect(places('ÉTÉ', 'un e\u0301te\u0301 chaud')).toEqual(['e\u0301te\u0301'])
    expect(places('한국', 'x 한국어'.normalize('NFD'))).toEqual(['한국'.normalize('NFD')])
    expect(places('οδοσ', 'ΟΔΟΣ οδος')).toEqual(['ΟΔΟΣ', 'οδος'])
    expect(places('i', 'İi')).toEqual(['i'])
    expect(places('"a…"', 'x “a...” y')).toEqual(['“a...”'])
    expect(places('a', 'aA', false, true)).toEqual(['a'])
  })

  test('patterns find the same with and without the quick way', () => {
    expect(places('\\bkilo\\w+', 'KILOgram \u212Ailometre kilo', true)).toEqual(['KILOgram'])
    expect(places('caf.', 'Cafe\u0301 café', true)).toEqual(['Cafe', 'café'])
    expect(places('s+t', 'ſt sst', true)).toEqual(['ſt', 'sst'])
    expect(places('s\\d', 'ſ1', true)).toEqual(['ſ1'])
    expect(places('^a.*b$', 'xa b\na b', true)).toEqual(['a b'])
  })

  test('any pattern of plain parts finds what a native expression finds', () => {
    const part = fc.constantFrom(
      'a',
      'B',
      'ab',
      'ab?',
      'a*',
      '[ab]',
      '[^a]',
      '(ab)',
      '(?:b)',
      '.',
      '\\w',
      'a{2}',
      'b{0,1}',
      '\\b',
      'c|a',
    )
    const pattern = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(pattern, fc.stringMatching(/^[abcABC ]{0,12}$/), fc.boolean(), (source, text, matchCase) => {
        const native = [...text.matchAll(new RegExp(source, matchCase ? 'gm' : 'gim'))].map((match) => match[0])
        expect(places(source, text, true, matchCase)).toEqual(native.filter((found) => found !== ''))
      }),
    )
  })
})

describe('requiredLiteral', () => {
  test('claims the longest run that every match holds, and nothing where it can not be sure', () => {
    expect(requiredLiteral('v\\d+\\.foo bar')).toBe('foo bar')
    expect(requiredLiteral('\\bname: (x)+ab[c]')).toBe('name')
    expect(requiredLiteral('colou?r')).toBe('colo')
    expect(requiredLiteral('ab{3}c')).toBe('a')
    expect(requiredLiteral('ab{x}')).toBe('ab')
    expect(requiredLiteral('(foo(bar)[)]baz)x')).toBe('x')
    expect(requiredLiteral('[]a]b[^]c]')).toBe('b')
    expect(requiredLiteral('[[:alpha:]]+yes')).toBe('yes')
    for (const unsure of ['foo|bar', '(?i)foo', '\\Qfoo\\E', '\\x66oo', '.*', ''])
      expect(requiredLiteral(unsure)).toBe('')
  })
})
