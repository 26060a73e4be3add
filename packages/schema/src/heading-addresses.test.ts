import { expect, test } from 'vitest'
import { headingAddress, headingAddresses } from './heading-addresses.ts'
import { parseMarkdown } from './markdown/index.ts'

test('headings have the addresses that GitHub gives them, in order and in quotes too', () => {
  const { doc } = parseMarkdown('# Über **uns**!\n\n## Goals\n\n> ### Goals\n\n## 4. Board & more')
  expect([...headingAddresses(doc).keys()]).toEqual(['#über-uns', '#goals', '#goals-1', '#4-board--more'])
  expect([...headingAddresses(doc).values()].map((pos) => doc.nodeAt(pos)?.type.name)).toEqual(Array(4).fill('heading'))
  expect(headingAddress('#Our%20Goals')).toBe('#our-goals')
})
