import { expect, test } from 'vitest'
import { findTestFiles } from './test-files.ts'

test('a name finds the files whose paths contain it, of both runners', () => {
  const own = 'scripts/lib/test-files.test.ts'
  expect(findTestFiles(['lib/test-files'])).toEqual({ vitest: [own], browser: [] })
  const browser = findTestFiles(['tests/browser', own])
  expect(browser.vitest).toEqual([own])
  expect(browser.browser).toContain('tests/browser/review.spec.ts')
  expect(findTestFiles(['no such part'])).toEqual({ vitest: [], browser: [] })
})

test('without a name all files are found', () => {
  const all = findTestFiles([])
  expect(all.vitest.length).toBeGreaterThan(100)
  expect(all.browser.length).toBeGreaterThan(10)
  expect(all.vitest.filter((file) => file.includes('node_modules'))).toEqual([])
})
