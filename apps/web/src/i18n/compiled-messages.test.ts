import { expect, test } from 'vitest'
import { compileCalls } from '../../compiled-messages.ts'

test('messages are compiled where they are used, also inside of each other, and plain texts stay', () => {
  const code = "const a = t('A {b}', { b: t('{n, plural, one {#} other {#s}}', { n }) })\nconst c = t('Plain')"
  expect(compileCalls('a.ts', code)).toBe(
    `const a = t('A {b}', { b: t('{n, plural, one {#} other {#s}}', { n }, [["n",2,{"one":0,"other":[0,"s"]}]]) }, ["A ",["b"]])
const c = t('Plain')`,
  )
})

test('a message that can’t be compiled is an error of the build', () => {
  expect(() => compileCalls('a.ts', "t('{n, plural, one {#}', { n })")).toThrow('MISSING_OTHER_CLAUSE')
  expect(() => compileCalls('a.ts', "t(isOne ? 'A {n}' : 'B {n}', { n })")).toThrow('must be a literal')
})
